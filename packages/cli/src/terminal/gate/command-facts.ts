import type { CommandFacts, Preview } from "@harness/protocol"
import type { Look, Styled } from "../contracts.ts"
import { sourceLines } from "../render/source.ts"
import { exactly } from "./exact.ts"

/** A command as it would run: every line of it, where, how long, and what it may do. */
export function commandLines({ text, command }: Preview, look: Look): Styled[] {
  return command === undefined ? shellLines(text, look) : factLines(command, look)
}

/** The same of the facts: exactly what runs, then how. */
export function factLines(facts: CommandFacts, look: Look): Styled[] {
  const { theme } = look
  const { line, shell, cwd, env, timeout_seconds: timeout, sandbox } = facts
  const [first = "", ...more] = shellLines(line, look)
  const how = [
    `cwd ${exactly(cwd)}`,
    timeout === null ? "no timeout: it runs on" : `timeout ${timeout} s`,
    shell ?? "no shell",
  ].join(" · ")
  const variables = Object.entries(env).map(
    ([name, value]) => `env ${exactly(name)}=${exactly(JSON.stringify(value))}`,
  )
  return [
    `${theme.accent("$")} ${first}`,
    ...more.map(each => `  ${each}`),
    ...[how, ...variables].map(theme.muted),
    (sandbox === "off" ? theme.warning : theme.muted)(heldIn(facts)),
  ]
}

function heldIn({ sandbox, writes, network }: CommandFacts): string {
  if (sandbox === "off") return "no sandbox: it runs with your own authority"
  const files = writes === "folder" ? "writes only in the folder" : "writes anywhere"
  return `sandbox: ${files} · network ${network ? "on" : "off"}`
}

function shellLines(text: string, look: Look): Styled[] {
  return sourceLines(exactly(text), "bash", look)
}
