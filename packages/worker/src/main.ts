import { channelDescriptor, closeInheritedDescriptors } from "./ipc/descriptors.ts"
import { serve } from "./ipc/serve.ts"

// The worker's process: forked by the controller, which speaks WorkerFrame to it.
closeInheritedDescriptors(channelDescriptor())
serve({ channel: process, env: process.env, exit: () => process.exit(0) })
