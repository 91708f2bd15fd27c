/** The right to use a worker. Released once; a second release does nothing. */
export interface Lease {
  release(): void
}

/** Bounds the workers that run side by side; who comes too late waits in the order of asking. */
export interface Leases {
  /** Rejects with the signal's reason when it is aborted while waiting. */
  acquire(signal?: AbortSignal): Promise<Lease>
}

export function createLeases(limit: number): Leases {
  let held = 0
  const waiting: (() => void)[] = []

  function lease(): Lease {
    held += 1
    let released = false
    return {
      release() {
        if (released) return
        released = true
        held -= 1
        waiting.shift()?.()
      },
    }
  }

  return {
    acquire(signal) {
      if (held < limit) return Promise.resolve(lease())
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal?.removeEventListener("abort", leave)
          resolve(lease())
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1)
          reject(signal?.reason)
        }
        waiting.push(enter)
        signal?.addEventListener("abort", leave, { once: true })
      })
    },
  }
}
