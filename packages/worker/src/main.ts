import { channelDescriptor, closeInheritedDescriptors } from "./ipc/descriptors.ts"

// The worker's process: forked by the controller, which speaks WorkerFrame to it.
closeInheritedDescriptors(channelDescriptor())

// A worker parses most schemas a few times: to compile them costs more than it saves. Each looks at
// this when it is made, so that it has to be said before zod is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
const { serve } = await import("./ipc/serve.ts")
serve({ channel: process, env: process.env, exit: () => process.exit(0) })
