import * as z from "zod"
import { channelDescriptor, closeInheritedDescriptors } from "./ipc/descriptors.ts"
import { serve } from "./ipc/serve.ts"

// A worker parses most schemas a few times: to compile them costs more than it saves.
z.config({ jitless: true })

// The worker's process: forked by the controller, which speaks WorkerFrame to it.
closeInheritedDescriptors(channelDescriptor())
serve({ channel: process, env: process.env, exit: () => process.exit(0) })
