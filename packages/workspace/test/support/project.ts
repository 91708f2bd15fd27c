import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Permit } from "@harness/protocol"
import type {
  AnyAction,
  CommandContainment,
  EnvironmentHost,
  Json,
  JsonObject,
  Preview,
} from "@harness/sdk"
import { onTestFinished } from "vitest"
import { project } from "../../src/index.ts"
import { environmentIn } from "./environment.ts"

/** A project in a temporary folder, reached through the worker's real files, processes and outputs. */
export interface TestProject {
  readonly root: string
  readonly host: EnvironmentHost
  /** Runs an action as the worker does; `basis` is what its preview returned. */
  run(name: string, input: JsonObject, basis?: Json): Promise<JsonObject>
  preview(name: string, input: JsonObject): Promise<{ preview: Preview; basis: Json }>
  /** The same project for an action that policy gave leave for more. */
  withPermits(...permits: Permit[]): Pick<TestProject, "run" | "preview">
  write(path: string, content: string | Uint8Array): void
  bytes(path: string): Buffer
}

/** Opens a project with these files; it is removed when the test has finished. */
export async function openProject(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  /** What previews are told of it; the commands of tests run as they are. */
  containment?: CommandContainment,
): Promise<TestProject> {
  const folder = mkdtempSync(join(tmpdir(), "harness-workspace-"))
  const root = join(folder, "root")
  const artifacts = join(folder, "artifacts")
  const temp = join(folder, "temp")
  for (const made of [root, artifacts, temp]) mkdirSync(made)

  const environment = environmentIn(root, artifacts, temp)
  onTestFinished(async () => {
    await environment.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  for (const [path, content] of Object.entries(files)) write(path, content)

  const actions = (permits: readonly Permit[]): Pick<TestProject, "run" | "preview"> => ({
    run(name, input, basis = null) {
      const action = actionNamed(name)
      return action.run(input, environment.acting(action.effect, basis, permits))
    },
    async preview(name, input) {
      const context = { ...environment.looking(permits), ...(containment && { containment }) }
      const shown = await actionNamed(name).preview?.(input, context)
      if (shown === undefined) throw new Error(`${name} has no preview`)
      return shown
    },
  })

  return {
    root,
    host: environment.looking([]),
    write,
    bytes: path => readFileSync(join(root, path)),
    ...actions([]),
    withPermits: (...permits) => actions(permits),
  }
}

export function actionNamed(name: string): AnyAction {
  const action = project.actions.find(each => each.name === name)
  if (action === undefined) throw new Error(`there is no action ${name}`)
  return action
}
