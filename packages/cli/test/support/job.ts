import { onTestFinished } from "vitest"
import { type Script, startScriptedServer } from "../../../../tests/support/scripted-server.ts"
import { type FolderContent, temporaryFolder } from "../../../../tests/support/temporary-folder.ts"
import { type HarnessOptions, startHarness } from "./harness.ts"

/** A project, a scripted model, and `harness run` over the two. */
export async function job(
  home: string,
  { script, files = { "a.txt": "one\n" } }: { script: Script; files?: FolderContent },
) {
  const [project, server] = await Promise.all([
    temporaryFolder(files),
    startScriptedServer({ script }),
  ])
  onTestFinished(async () => {
    await Promise.all([server.close(), project.remove()])
  })

  const start = (args: readonly string[], options: Omit<HarnessOptions, "home"> = {}) =>
    startHarness(["run", "Do it.", "--sandbox", "off", "--folder", project.path, ...args], {
      home,
      ...options,
      env: {
        HARNESS_MODEL: "openai-compatible/scripted",
        HARNESS_STYLE: "tools",
        OPENAI_BASE_URL: server.baseUrl,
        OPENAI_API_KEY: "not-a-key",
        ...options.env,
      },
    })
  return { project, server, start, run: (...args: string[]) => start(args).ended }
}
