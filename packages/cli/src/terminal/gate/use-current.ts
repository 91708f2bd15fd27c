import { useRef, useState } from "react"

/** A state that is known at once when it was set: several keys can come before it is drawn again. */
export type Current<Value> = {
  /** As it is drawn. */
  drawn: Value
  get(): Value
  set(next: Value): void
}

export function useCurrent<Value>(begin: () => Value): Current<Value> {
  const [drawn, setDrawn] = useState(begin)
  const current = useRef(drawn)
  return {
    drawn,
    get: () => current.current,
    set(next) {
      current.current = next
      setDrawn(next)
    },
  }
}
