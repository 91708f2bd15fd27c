import type { EvidenceLink, ImageTaken, Limits, ProcessReceipt, Sandbox } from "@harness/protocol"

/** Why the confined file layer did not do what was asked. A value, never a throw. */
export type FileProblem = {
  status: "refused"
  /**
   * `outside_root`: the path leaves the root, by itself or through a link. `not_found`.
   * `not_a_file`: a folder, device, FIFO or socket. `not_a_folder`. `invalid_path`: NUL, empty.
   * `too_large`: larger than the call allows. `unreadable`, `unwritable`: the system refused.
   * `control_file`, `secret_file`: the real path needs a permit that the action does not have.
   * `hidden`: HARNESS_HOME, or a place with the user's keys, when it lies in the root.
   */
  error:
    | "outside_root"
    | "not_found"
    | "not_a_file"
    | "not_a_folder"
    | "invalid_path"
    | "too_large"
    | "unreadable"
    | "unwritable"
    | "evidence_exhausted"
    | "control_file"
    | "secret_file"
    | "hidden"
  path: string
  message: string
}

/** A file as it was read from one open descriptor: all fields are of the same moment. */
export type FileContent = {
  status: "read"
  /** Relative to the root, with `/`, links resolved. */
  path: string
  bytes: Uint8Array
  sha256: string
  /** Permission bits. */
  mode: number
}

export type FileWindow = {
  status: "read"
  path: string
  /** The bytes from `offset`, at most `limitBytes`; cut where the caller asked, in the middle of a character if need be. */
  bytes: Uint8Array
  offset: number
  /** The whole file's size. */
  size: number
  /** Of the whole file. */
  sha256: string
}

export type FileEntry = {
  /** Relative to the root, with `/`. */
  path: string
  type: "file" | "folder" | "link" | "other"
  /** Bytes; 0 for folders. */
  size: number
}

/** What the caller believes the file holds: its sha256, or `absent`. */
export type Expected = string

export type FileReplaced =
  | { status: "written"; path: string; before: string | null; sha256: string; bytes: number }
  /** The file does not hold what was expected; nothing was changed. `found` is null when absent. */
  | { status: "conflict"; path: string; found: string | null }

export type FileRemoved =
  | { status: "removed"; path: string; before: string }
  /** The file does not hold what was expected; it is still there. `found` is null when absent. */
  | { status: "conflict"; path: string; found: string | null }

/**
 * The files below the root, and nothing else. Paths are relative to the root (an absolute path that
 * lies in the root is taken as such); what leaves it is refused, judged on the opened descriptor.
 */
export interface Files {
  /** The whole file, at most `limitBytes` (refused as `too_large` beyond). */
  read(path: string, options: { limitBytes: number }): Promise<FileContent | FileProblem>
  /** A window of bytes; the hash is of the whole file. */
  window(
    path: string,
    options: { offset: number; limitBytes: number },
  ): Promise<FileWindow | FileProblem>
  /**
   * Replaces the content in one step (temporary file beside it, fsync, rename; mode and owner kept;
   * parent folders made). With `expected` it refuses a file that holds something else. Of
   * two harnesses with one HARNESS_HOME one meets a conflict; against other programs it is a check,
   * not a transaction: they can still write between the check and the rename. Before and after become
   * evidence of the action.
   */
  replace(
    path: string,
    bytes: Uint8Array,
    options: {
      expected: Expected
      /** Permission bits, in place of those that the file has. */
      mode?: number
    },
  ): Promise<FileReplaced | FileProblem>
  /**
   * Removes a file that holds what is expected; a check, like `replace`. Folders stay, and so does
   * what a link leads to: a path through one is refused as `not_a_file`. What it held becomes
   * evidence of the action.
   */
  remove(path: string, options: { expected: Expected }): Promise<FileRemoved | FileProblem>
  /** The entries of one folder, sorted by name. */
  list(path: string): Promise<{ status: "listed"; entries: FileEntry[] } | FileProblem>
  /** The real path of a place inside the root: for the cwd or arguments of a process. */
  locate(
    path: string,
  ): Promise<
    { status: "located"; path: string; absolute: string; type: FileEntry["type"] } | FileProblem
  >
}

export type ProcessSpec = {
  /** Started directly, without a shell. One of `argv` and `shell` is given. */
  argv?: readonly string[]
  /** A command line for `/bin/sh -c`, for PowerShell on Windows, or for the given shell. */
  shell?: string
  /** The shell that runs `shell` with `-c`. */
  shellPath?: string
  /** Relative to the root; default the root. */
  cwd?: string
  /** Added to the least environment that every command gets. */
  env?: Readonly<Record<string, string>>
  /**
   * > 0 and at most `limits.command_seconds_max`; the process is ended with `timeout` after it.
   * Default `limits.command_seconds`; none for what is started to run on.
   */
  timeoutSeconds?: number
  /** Standard output alone, e.g. of a tool whose output is parsed; default both, in order. */
  streams?: "both" | "stdout"
  /**
   * The process is a tool of the action (a search), not what the model asked for: its output is no
   * evidence, can be read with `outputs` until the action ends, and is gone then; the action's
   * receipt does not name it.
   */
  scratch?: boolean
  /** Wants the network although the conversation has none; refused without the permit `network`. */
  network?: boolean
}

/** Of a process that still runs the receipt says `running`, and what it has left so far. */
export type ProcessEnd = {
  receipt: ProcessReceipt
  /** The last bytes of the output (`limits.preview_bytes`), cut at a character. */
  preview: string
}

/** Starts processes in a group of their own, and ends what they leave behind. */
export interface Processes {
  /**
   * Runs to the end: exit, deadline, full output, or the action's cancellation. Never rejects for
   * what the process does; a program that is missing is `not_started` with the reason.
   */
  run(spec: ProcessSpec): Promise<ProcessEnd>
  /**
   * Starts a process that runs on when its action has ended: to its own end, its deadline, full
   * output, `cancel`, or the conversation's close. Resolves at once, or with `ready` when it is
   * ready, has ended or the time for it is over; the action's cancellation until then ends it.
   * One for each action: it takes what is left of the action's grant. Rejects in an action that
   * only reads.
   */
  start(spec: ProcessSpec, options?: ReadyOptions): Promise<ProcessStart>
  /** A process of this conversation, as it is now; null when there is none of that id. */
  status(id: string): Promise<ProcessEnd | null>
  /** What was started to run on by this worker, ended ones too, the oldest first. */
  list(): Promise<ListedProcess[]>
  /**
   * Ends a process that was started to run on, with `cancelled`, and resolves with its end; one that
   * has ended is left as it is. Null when there is none of that id. Rejects in an action that only
   * reads.
   */
  cancel(id: string): Promise<ProcessEnd | null>
}

/** What to wait for after a start. */
export type ReadyOptions = {
  /** A regular expression that a line of the output matches, or a TCP port that it listens on. */
  ready: string | number
  /** How long to wait; the process runs on when it is over. */
  readySeconds: number
}

export type ProcessStart = ProcessEnd & {
  /**
   * `not_asked`: there was nothing to wait for. `ended`: the process ended first. `late`: the time is
   * over. `invalid`: not a regular expression, or one that takes too long; the process runs all the same.
   */
  ready: "not_asked" | "ready" | "ended" | "late" | "invalid"
}

export type ListedProcess = {
  receipt: ProcessReceipt
  /** As it was asked for, in one line. */
  command: string
}

/** Pages through outputs kept under the conversation's artifacts. */
export interface Outputs {
  /** `id` is a receipt's `output_id`, with or without `output:`. */
  read(
    id: string,
    options: { offset: number; limitBytes: number },
  ): Promise<
    | { status: "read"; bytes: Uint8Array; offset: number; size: number }
    | { status: "refused"; error: "not_found"; message: string }
  >
}

/** `network`: commands have it without leave, as the conversation does, or for nothing holds them back. */
export type CommandContainment = { sandbox: Sandbox; network: boolean }

/** What is in the root and not to be looked into. */
export type LeftOut = {
  /** Patterns of names: `*` stands for any characters, `!` takes back, the last that matches decides. */
  secretFiles: readonly string[]
  /** Hidden places, relative to the root, with `/`; in any case of letters. */
  places: readonly string[]
}

/** What the worker hands to a kind. */
export interface EnvironmentHost {
  /** The real path of the folder. For messages; files go through `files`. */
  readonly root: string
  /** The conversation's bounds, as configured. */
  readonly limits: Limits
  /** What commands may do: for a preview that says so. */
  readonly containment: CommandContainment
  /** Whether a path below the root names a secret file. */
  isSecret(path: string): boolean
  /** What a search does not look into: `files` refuses it, and its tools should not open it either. */
  readonly leftOut: LeftOut
  readonly files: Files
  readonly processes: Processes
  readonly outputs: Outputs
}

/** Shows images to the model. */
export interface Images {
  /**
   * Attaches an image (PNG, JPEG, GIF or WebP) to the action's result. It is decoded in a process of
   * its own, scaled down to what the model takes, and kept as evidence under the action's grant; a
   * model that sees none is told of it in words. What is wrong with it is a value, with words for
   * the model. Rejects in an action that does not declare `shows`, and in a preview.
   *
   * @example
   * const taken = await context.images.show(screenshot)
   * if (taken.status === "refused") return { error: taken.error, message: `The screen ${taken.reason}.` }
   */
  show(bytes: Uint8Array): Promise<ImageTaken>
}

/** What an action's `run` gets. */
export interface ActionContext extends EnvironmentHost {
  /** Aborted when the action is cancelled. `processes` obey it by themselves. */
  readonly signal: AbortSignal
  /** Shown while the action runs; not kept. */
  report(text: string): void
  /** Keeps a payload as evidence of this action. Resolves to null when the grant is used up. */
  keep(role: string, bytes: Uint8Array): Promise<EvidenceLink | null>
  readonly images: Images
  /** A payload that the conversation keeps; null when there is none, or not what its hash says. */
  kept(sha256: string): Promise<Uint8Array | null>
}
