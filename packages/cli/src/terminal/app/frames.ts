/** Draws at most 30 times a second, and less often where that would take too much of the time. */
export interface Frames {
  /** Something changed: it is drawn with the next frame. */
  request(): void
  stop(): void
}

/** More nobody sees, and each costs a layout. */
const frameMs = 33

/** After a frame so many times as long is waited as it took: in a flood of text what draws gives way. */
const restFactor = 4

/** But never longer than this: somebody looks. */
const mostRestMs = 250

export function createFrames(draw: () => void, now: () => number): Frames {
  let timer: NodeJS.Timeout | undefined
  let nextAtMs = Number.NEGATIVE_INFINITY
  let isStopped = false

  const frame = () => {
    timer = undefined
    const beganMs = now()
    draw()
    const endedMs = now()
    const restMs = Math.min(mostRestMs, restFactor * (endedMs - beganMs))
    nextAtMs = Math.max(beganMs + frameMs, endedMs + restMs)
  }
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    request() {
      if (isStopped) return
      timer ??= setTimeout(frame, Math.max(0, nextAtMs - now()))
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
