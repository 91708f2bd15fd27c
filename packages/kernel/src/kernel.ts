import {
  type AnswerTo,
  type CommandAnswer,
  type ConversationEvent,
  failure,
  KernelCommand,
  type KernelEvent,
  type OpenConversation,
  toFailure,
} from "@harness/protocol"
import { loadConfig, showConfig } from "./config/load.ts"
import type { KernelOptions } from "./context.ts"
import { projectFolder } from "./folder.ts"
import { createStepLog } from "./logs/step-log.ts"
import { createFaultWatch } from "./logs/watch.ts"
import type { Agent } from "./loop/agent.ts"
import { openConversation } from "./open.ts"
import { createRegistry, type Registry } from "./registry/registry.ts"
import { createLeases, type Leases } from "./scheduler/leases.ts"
import { steer } from "./steering.ts"
import {
  inspectProject,
  noProject,
  type Project,
  readProject,
  trustProject,
  withdrawTrust,
} from "./trust/project.ts"

/**
 * The kernel as faces use it: serialisable commands in, answers and numbered events out. A face can
 * sit in another process.
 *
 * @example
 * const unsubscribe = kernel.subscribe(({ event }) => print(event))
 * const opened = await kernel.dispatch({ type: "open", folder: "/home/me/project" })
 */
export interface Kernel {
  /** Carries out a command. Never rejects: what went wrong is the answer `failed`. */
  dispatch<Command extends KernelCommand>(command: Command): Promise<AnswerTo<Command["type"]>>
  /** Called for each event as it happens, in order. A throw of the listener ends the process's trust in it: it is reported as uncaught. */
  subscribe(listener: (event: KernelEvent) => void): () => void
  /** Closes every conversation: nothing is left running. */
  close(): Promise<void>
}

export function createKernel(options: KernelOptions): Kernel {
  const { home, env } = options
  const registry = createRegistry(options)
  const agents = new Map<string, Agent>()
  const watch = createFaultWatch(options.log)
  const steps = createStepLog(options.log)
  const listeners = new Set<(event: KernelEvent) => void>()
  let leases: Leases | undefined

  function tell(conversation: string, event: ConversationEvent): void {
    watch.event(conversation, event)
    steps.event(conversation, event)
    for (const listener of listeners) {
      try {
        listener({ conversation, event })
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  function agentOf(conversation: string): Agent {
    const agent = agents.get(conversation)
    if (agent === undefined) throw failure("conversation_unknown", { conversation })
    return agent
  }

  async function projectAt(folder: string | undefined): Promise<Project> {
    if (folder === undefined) return noProject
    return readProject(await projectFolder(folder, home), options)
  }

  async function toResume({ resume, ...command }: OpenConversation) {
    if (resume === undefined) return undefined
    const { findToResume } = await import("./resume/found.ts")
    return findToResume({ resume, ...command }, home)
  }

  function registryWith({ packages }: Project): Registry {
    return packages.length === 0 ? registry : createRegistry({ ...options, project: packages })
  }

  async function carryOut(command: KernelCommand): Promise<CommandAnswer> {
    switch (command.type) {
      case "open": {
        const resume = await toResume(command)
        const project = await projectAt(resume?.folder ?? command.folder)
        const { settings, ignored } = project
        const loaded = await loadConfig({ home, env, flags: command, project: settings })
        const { config, lineOf, projectRules: rules } = loaded
        leases ??= createLeases(config.limits.target_workers)
        const context = {
          ...options,
          config,
          lineOf,
          project: { rules, ignored },
          registry: registryWith(project),
          leases,
          tell,
        }
        const { values } = loaded
        const { id, agent } = await openConversation(
          command,
          context,
          resume && { ...resume, values },
        )
        agents.set(id, agent)
        return { type: "open", conversation: id, state: agent.state() }
      }
      case "send":
        return agentOf(command.conversation).send(command)
      case "answer": {
        const { conversation, request, type, ...given } = command
        const refused = await agentOf(conversation).answer(request, { ...given, by: "user" })
        if (refused === null) return { type }
        throw failure("command_invalid", { command: type, reason: refused })
      }
      case "interrupt":
        agentOf(command.conversation).interrupt(command.reason, command.scope ?? "turn")
        return { type: "interrupt" }
      case "close":
        await agentOf(command.conversation).close()
        agents.delete(command.conversation)
        return { type: "close" }
      case "evidence": {
        const agent = agents.get(command.conversation)
        const found = agent
          ? await agent.evidence(command.sha256)
          : await (await existing()).evidenceOf(command, options)
        if (found.status !== "found") return { type: "evidence", content: found }
        const base64 = Buffer.from(found.bytes).toString("base64")
        return { type: "evidence", content: { status: "found", base64 } }
      }
      case "audit":
      case "changes":
      case "undo":
      case "redact":
      case "gc":
        return (await existing()).answerAbout(command, options)
      case "models": {
        const { config, lineOf } = await loadConfig({ home, env })
        const { listModels } = await import("./provider/list.ts")
        return listModels(command.provider, { registry, config, env, lineOf })
      }
      case "remember": {
        const { rememberModel } = await import("./config/remember.ts")
        return { type: "remember", file: await rememberModel(home, command.model) }
      }
      case "login":
        return (await keys()).login(command, { ...options, registry })
      case "logout":
        return (await keys()).logout(command, { ...options, registry })
      case "keys":
        return (await keys()).listKeys({ ...options, registry })
      case "statistics": {
        const { statistics } = await import("./statistics/statistics.ts")
        return statistics(command, options)
      }
      case "queue":
      case "unqueue":
      case "configure":
      case "compact":
      case "command":
      case "environments":
      case "paths":
        return steer(command, agentOf(command.conversation))
      case "approvals":
      case "revoke": {
        const { answerApprovals } = await import("./policy/project-approvals.ts")
        return answerApprovals(command, options)
      }
      case "conversations":
      case "show":
      case "fork":
      case "rename":
      case "delete": {
        const { answerAboutKept } = await import("./kept/answer.ts")
        return answerAboutKept(command, { ...options, agents })
      }
      case "inspect":
        return { type: "inspect", inspection: await registry.inspect(command.spec, command) }
      case "install":
        return { type: "install", ...(await registry.install(command.spec, command)) }
      case "uninstall":
        return { type: "uninstall", package: await registry.uninstall(command.name) }
      case "list": {
        const project = await projectAt(command.folder)
        const packages = registryWith(project).list()
        return { type: "list", packages, ignored: project.ignored }
      }
      case "config": {
        const { settings: project, ignored } = await projectAt(command.folder)
        return { type: "config", ...(await showConfig({ home, env, project })), ignored }
      }
      case "project":
        return { type: "project", project: await inspectProject(command.folder, options) }
      case "trust":
        return { type: "trust", ...(await trustProject(command, options)) }
      case "withdraw":
        return { type: "withdraw", ...(await withdrawTrust(command.folder, options)) }
    }
  }

  return {
    async dispatch<Command extends KernelCommand>(
      command: Command,
    ): Promise<AnswerTo<Command["type"]>> {
      const answer = await answerTo(command)
      if (isAnswerTo(command, answer)) return answer
      throw new Error(`the command ${command.type} was answered with ${answer.type}`)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await Promise.allSettled([...agents.values()].map(agent => agent.close()))
      agents.clear()
    },
  }

  async function answerTo(command: KernelCommand): Promise<CommandAnswer> {
    const parsed = KernelCommand.safeParse(command)
    try {
      if (parsed.success) return await carryOut(parsed.data)
      const reason = parsed.error.issues
        .map(({ path, message }) => `${path.join(".")}: ${message}`)
        .join("; ")
      throw failure("command_invalid", { command: String(command.type), reason })
    } catch (error) {
      const failed = toFailure(error)
      watch.refused(command.type, failed)
      return { type: "failed", failure: failed }
    }
  }
}

/** Loaded when it is asked for: a run asks nothing of the kind. */
function existing() {
  return import("./existing.ts")
}

function keys() {
  return import("./keys/answer.ts")
}

function isAnswerTo<Command extends KernelCommand>(
  command: Command,
  answer: CommandAnswer,
): answer is AnswerTo<Command["type"]> {
  return answer.type === command.type || answer.type === "failed"
}
