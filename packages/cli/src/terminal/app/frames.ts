/** Draws at most so often. */
export interface Frames {
  /** Something changed: it is drawn with the next frame. */
  request(): void
  /** Draws what is left, at once. */
  flush(): void
  stop(): void
}

/** 30 a second: more nobody sees, and each costs a layout. */
const frameMs = 33

export function createFrames(draw: () => void, now: () => number): Frames {
  let timer: NodeJS.Timeout | undefined
  let drawnAtMs = Number.NEGATIVE_INFINITY
  let isStopped = false

  const frame = () => {
    timer = undefined
    drawnAtMs = now()
    draw()
  }
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    request() {
      if (isStopped) return
      timer ??= setTimeout(frame, Math.max(0, drawnAtMs + frameMs - now()))
    },
    flush() {
      if (timer === undefined) return
      cancel()
      frame()
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
