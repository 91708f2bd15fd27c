/**
 * What harness itself takes of a turn: all of its time but that in which it waits for a model, an
 * action or its preview, a program that computes, or a person. So what harness took, with the time in
 * which at least one of these was waited for, is the turn's whole time.
 */
export interface Overhead {
  /**
   * Waits for somebody else; waits may overlap. What runs through `back` meanwhile, such as a call of
   * a program, is harness's own time again, but for the waits in it.
   */
  without<Result>(wait: (back: BackAtWork) => Promise<Result>): Promise<Result>
  /** Milliseconds of harness since the last lap, in tenths; the next lap begins. */
  lap(): number
}

export type BackAtWork = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * @example
 * const overhead = createOverhead(() => performance.now())
 * const reply = await overhead.without(() => collect(provider, request, options))
 * recorder.record({ type: "step_ended", overhead_ms: overhead.lap(), … })
 */
export function createOverhead(now: () => number): Overhead {
  let waits = 0
  let lapMs = 0
  let workingSince = now()

  function begin(): void {
    if (waits === 0) lapMs += now() - workingSince
    waits += 1
  }

  function end(): void {
    waits -= 1
    if (waits === 0) workingSince = now()
  }

  return {
    async without(wait) {
      let calls = 0
      let over = false
      begin()
      try {
        return await wait(async work => {
          if (calls === 0 && !over) end()
          calls += 1
          try {
            return await work()
          } finally {
            calls -= 1
            if (calls === 0 && !over) begin()
          }
        })
      } finally {
        if (calls === 0) end()
        over = true
      }
    },

    lap() {
      if (waits === 0) {
        const nowMs = now()
        lapMs += nowMs - workingSince
        workingSince = nowMs
      }
      const tenths = Math.round(lapMs * 10)
      // The rest counts in the next lap, so that laps add up.
      lapMs -= tenths / 10
      return Math.max(0, tenths / 10)
    },
  }
}
