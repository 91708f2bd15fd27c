import { onTestFinished } from "vitest"
import {
  openWorker,
  type TestWorker,
  type WorkerOptions,
} from "../../../worker/test/support/worker.ts"

const source = (path: string) => new URL(path, import.meta.url).href

/** A real worker with the kind `project`; it ends when the test has finished. */
export async function openProjectWorker({
  hello,
  ...options
}: WorkerOptions = {}): Promise<TestWorker> {
  const module = {
    url: source("../../src/index.ts"),
    name: "project",
    linked: true,
    hosted: {
      "@harness/sdk": source("../../../sdk/src/index.ts"),
      "@harness/protocol": source("../../../protocol/src/index.ts"),
    },
  }
  const worker = await openWorker({ ...options, hello: { module, ...hello } })
  onTestFinished(() => worker.dispose())
  return worker
}
