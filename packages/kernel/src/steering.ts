import type { CommandAnswer, KernelCommand } from "@harness/protocol"
import type { Agent } from "./loop/agent.ts"

type SteeringCommand = Extract<
  KernelCommand,
  { type: "queue" | "unqueue" | "configure" | "compact" | "command" | "environments" | "paths" }
>

/** Answers the commands by which a person steers a conversation that is open. */
export async function steer(command: SteeringCommand, agent: Agent): Promise<CommandAnswer> {
  switch (command.type) {
    case "queue":
      await agent.queue(command)
      return { type: "queue" }
    case "unqueue":
      return { type: "unqueue", texts: await agent.unqueue() }
    case "configure":
      await agent.configure(command)
      return { type: "configure", state: agent.state() }
    case "compact":
      return { type: "compact", ...(await agent.compact()) }
    case "command":
      return { type: "command", ...(await agent.command(command.command)) }
    case "environments":
      return { type: "environments", environments: agent.environments() }
    case "paths":
      return { type: "paths", paths: await agent.paths(command.letters, command.limit) }
  }
}
