import type { ApproveMode, Config, ConfigValue } from "@harness/protocol"
import type { Before } from "./before.ts"

/**
 * The configuration of a conversation that goes on. Model and style are what it had, unless a flag or
 * a variable says otherwise. What it may do is the stricter of what it had and what a new one would
 * get, unless a flag or a variable says otherwise: leave that was given for one run is not kept. All
 * else is as for a new one.
 */
export function resumedConfig(
  config: Config,
  values: readonly ConfigValue[],
  before: Before["settings"],
): Config {
  const said = new Set(values.filter(({ origin }) => isSaidNow(origin)).map(({ key }) => key))
  const kept = <Value>(key: string, now: Value, then: Value) => (said.has(key) ? now : then)
  const approve = config.approve ?? "none"
  const sandbox = before.sandbox === "os" ? "os" : config.sandbox
  return {
    ...config,
    model: kept("model", config.model, before.model),
    style: kept("style", config.style, before.style),
    approve: kept("approve", approve, stricter(approve, before.approve)),
    sandbox: kept("sandbox", config.sandbox, sandbox),
    network: kept("network", config.network, config.network && before.network),
  }
}

function isSaidNow(origin: string): boolean {
  return origin.startsWith("flag ") || origin.startsWith("env ")
}

function stricter(one: ApproveMode, other: ApproveMode): ApproveMode {
  return strictest.find(mode => mode === one || mode === other) ?? "gate"
}

const strictest = ["plan", "gate", "programs", "none"] as const satisfies readonly ApproveMode[]
