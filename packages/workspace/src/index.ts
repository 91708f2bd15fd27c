import { defineKind } from "@harness/sdk"
import { cancelProcess } from "./actions/cancel-process.ts"
import { editFile } from "./actions/edit-file.ts"
import { listFiles } from "./actions/list-files.ts"
import { listProcesses } from "./actions/list-processes.ts"
import { processStatus } from "./actions/process-status.ts"
import { readFile } from "./actions/read-file.ts"
import { readImage } from "./actions/read-image.ts"
import { readOutput } from "./actions/read-output.ts"
import { runCommand } from "./actions/run-command.ts"
import { searchFiles } from "./actions/search-files.ts"
import { startProcess } from "./actions/start-process.ts"
import { writeFile } from "./actions/write-file.ts"
import { guidance } from "./guidance.ts"
import { bashTool } from "./tools/bash.ts"
import { editTool } from "./tools/edit.ts"
import { readTool } from "./tools/read.ts"
import { writeTool } from "./tools/write.ts"

/** The kind `project`: a folder with files to read and change, search, and commands to run. */
export const project = defineKind({
  name: "project",
  description: "A project folder: read, change and search its files, and run commands in it.",
  actions: [
    readFile,
    readImage,
    writeFile,
    editFile,
    listFiles,
    searchFiles,
    runCommand,
    startProcess,
    processStatus,
    readOutput,
    cancelProcess,
    listProcesses,
  ],
  tools: [readTool, writeTool, editTool, bashTool],
  verify: command => ({ action: "run_command", input: { command } }),
  guidance,
})
