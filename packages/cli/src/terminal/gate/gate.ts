import { useInput, usePaste, useStdout } from "ink"
import { createElement as h, type ReactElement, useEffect, useRef } from "react"
import type { GateProps } from "../contracts.ts"
import { ActionGate } from "./action-gate.ts"
import { callOver, unattendedMs } from "./calling.ts"
import { ChoiceGate } from "./choice-gate.ts"

/**
 * Puts a request before the person: leave to run an action or a program, a question, an environment.
 * It shows all of it, takes the keys until it is answered, and calls a person who does not come.
 */
export function Gate(props: GateProps): ReactElement {
  useCall(props)
  const { type } = props.request.opened.subject
  return type === "action" || type === "program" ? h(ActionGate, props) : h(ChoiceGate, props)
}

/** Calls once, when nobody has touched a key for a while. */
function useCall({ env, request }: GateProps): void {
  const { stdout } = useStdout()
  const timer = useRef<NodeJS.Timeout>(undefined)
  const stop = () => clearTimeout(timer.current)

  useEffect(() => {
    const call = callOver(env, request.opened.title)
    timer.current = setTimeout(() => stdout.write(call), unattendedMs)
    return stop
  }, [request.request])
  useInput(stop)
  usePaste(stop)
}
