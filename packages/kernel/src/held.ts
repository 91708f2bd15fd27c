/**
 * What a conversation holds: given back in the reverse order of its taking, each once. A step that
 * fails keeps none of the others from being given back.
 */
export interface Held {
  add(step: () => Promise<unknown>): void
  release(): Promise<void>
}

export function createHeld(): Held {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add(step) {
      steps.push(step)
    },
    async release() {
      const failed: unknown[] = []
      for (const step of steps.splice(0).reverse()) {
        await step().catch(error => failed.push(error))
      }
      if (failed.length > 0) throw failed[0]
    },
  }
}
