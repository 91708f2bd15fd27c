/**
 * Node options for the worker's process (`execArgv`): it handles small messages and streams to the
 * disk, so a small young generation and one helper thread take a fifth off its memory.
 */
export const WORKER_NODE_OPTIONS: readonly string[] = [
  "--max-semi-space-size=1",
  "--v8-pool-size=1",
]
