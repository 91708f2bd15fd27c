import { setTimeout as delay } from "node:timers/promises"

/** Long enough for a stop that the system has not delivered yet. */
const deliveredMs = 50

/**
 * Ctrl-Z: stops the whole job, as the terminal itself would. Resolves when it goes on (`fg`); at once
 * where no shell could let it.
 */
export async function stopProcess(): Promise<void> {
  process.kill(0, "SIGTSTP")
  await delay(deliveredMs)
}
