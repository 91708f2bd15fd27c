import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { temporaryFolder } from "../../../../tests/support/temporary-folder.ts"
import { harness } from "../support/harness.ts"

const main = fileURLToPath(new URL("../support/harness-main.ts", import.meta.url))

/** What bash offers for lines, each with the cursor at its end; `harness` is on its PATH. */
async function offered(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const home = await temporaryFolder({ "my folder": null })
  onTestFinished(() => home.remove())
  const { stdout: script } = await harness(["completion", "bash"], { home: home.path })
  await writeFile(home.at("completion.bash"), script)
  await mkdir(home.at("bin"))
  const line = `exec '${process.execPath}' --conditions=@harness/source '${main}' "$@"`
  await writeFile(home.at("bin/harness"), `#!/bin/sh\n${line}\n`)
  await chmod(home.at("bin/harness"), 0o755)

  const asked = lines.map(words => {
    const quoted = ["harness", ...words].map(word => `'${word}'`).join(" ")
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _harness_complete; printf '%s\\n' "\${COMPREPLY[@]}" --`
  })
  const child = spawn("bash", ["--norc", "-c", ["source completion.bash", ...asked].join("\n")], {
    cwd: home.path,
    env: {
      PATH: `${home.at("bin")}:${process.env.PATH}`,
      HOME: home.path,
      HARNESS_HOME: home.at("home"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let printed = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text
  })
  await once(child, "close")
  return printed
    .split("--\n")
    .slice(0, -1)
    .map(part => part.split("\n").filter(each => each !== ""))
}

test("bash completes commands, options, values and folders, and runs nothing that was typed", async () => {
  const made = [
    ["conv"],
    ["run", "x", "--style", "=", "t"],
    ["run", "--folder", "my"],
    ["run", "$(touch made)", "--app"],
  ]
  expect(await offered(made)).toEqual([["conversations"], ["tools"], ["my folder"], ["--approve"]])
})

test.for(["bash", "zsh", "fish"])("the script for %s is printed alone", async shell => {
  const home = await temporaryFolder()
  onTestFinished(() => home.remove())
  const { exitCode, stdout, stderr } = await harness(["completion", shell], { home: home.path })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  expect(stdout).toContain("harness complete -- ")
  expect(stdout).not.toContain("eval")
})
