/** Which processes of a worker run side by side: one that is not alone must mind the others. */
export interface Company {
  /** To be called before a process is started; `leave` when it has ended, or was not started. */
  enter(): { alone: boolean; leave(): void }
}

export function companyOf(): Company {
  const present = new Set<symbol>()
  return {
    enter() {
      const alone = present.size === 0
      const one = Symbol("process")
      present.add(one)
      return { alone, leave: () => void present.delete(one) }
    },
  }
}
