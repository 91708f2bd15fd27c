import type { Probe } from "../support/probe.ts"
import { fileProbes } from "./files.ts"
import { kernelProbes } from "./kernel.ts"
import { networkProbes } from "./network.ts"
import { processProbes } from "./processes.ts"
import { projectProbes } from "./project.ts"
import { secretProbes } from "./secrets.ts"

export const probes: readonly Probe[] = [
  ...secretProbes,
  ...fileProbes,
  ...processProbes,
  ...kernelProbes,
  ...networkProbes,
  ...projectProbes,
]
