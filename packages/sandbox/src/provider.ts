/** What a command may do; all paths real and absolute. */
export type SandboxPolicy = {
  /** The one folder of the project that may be written. */
  root: string
  /** The conversation's temporary folder, which may be written too. */
  temp: string
  /** In the root or the temporary folder. */
  cwd: string
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>
  network: boolean
  /** A network to share with other commands, in place of one of its own; only without `network`. */
  neighbours?: Namespaces | undefined
  /** Hidden from the command besides the built-in list: HARNESS_HOME, `containment.hide`. */
  hidden: readonly string[]
  /** Read-only for the command where a fresh folder would cover it: `containment.show`. */
  shown?: readonly string[]
  /** The user's home folder, whose secrets are hidden. */
  home: string
  /**
   * Absolute path of a program of harness itself that the command starts: it alone is there, to be
   * read and run, where its folder is hidden or covered. HARNESS_HOME holds installed packages.
   */
  tool?: string | undefined
  /**
   * Paths below the root that must not be written, besides the control files at its top and in its
   * git folder: those that a walk has found deeper. What does not exist is passed over.
   */
  controlled?: readonly string[]
  /**
   * True: no other contained process runs in the root. Else the command starts by looking at its own
   * mounts, which takes 2 ms: another could have led them astray with a link, out of the root.
   */
  alone?: boolean
  /**
   * Sockets of AF_UNIX that the command makes itself. Without effect where the command shares the
   * host's network: the host's abstract sockets would be in reach.
   */
  unixSockets: boolean
  /** May trace the processes of its own sandbox. */
  debuggers: boolean
}

/** Paths of open namespaces, as in /proc: a network, and the users who may enter it. */
export type Namespaces = { user: string; network: string }

/** A command as the system is to start it. */
export type Wrapped = {
  argv: readonly string[]
  /** Of the wrapper; the command's own is inside argv where the mechanism clears it. */
  env: Readonly<Record<string, string>>
  cwd: string
  /** Files to open read-only and pass on as descriptors 3, 4, … in this order. */
  descriptors: readonly string[]
  /**
   * What only the mechanism is told, with the command's variables: the content of a further
   * descriptor after those. Everybody on the machine can read `argv`.
   */
  input?: string
  /**
   * True: the mechanism writes what it started to the descriptor after those, an empty file opened
   * for writing, and `SandboxProvider.started` reads it.
   */
  reports: boolean
}

/** A sandbox that is started before its command is known. */
export type Prepared = {
  /**
   * Starts a shell in it, with a pipe as standard input and one more as the descriptor after the
   * report's. What it is to run comes by the first.
   */
  wrapped: Wrapped
  /** The first lines for the shell: it writes one to the other pipe when it waits for its command. */
  greeting: string
  /**
   * All that the sandbox is made of, the folders and files behind their names included: another
   * command gets just the same one only if it is the same for that command, then.
   */
  identity: string
  /** How the sandbox is now, by its report: it must not have changed. Throws when it is gone. */
  state(report: string): string
}

/** What a mechanism that stands between us and the command has started. */
export type Started = {
  /** The group of the command itself, as we can signal it; undefined while there is none. */
  group: number | undefined
  /** The command ran, and ended. False at its end: it was never started, and its output says why. */
  ended: boolean
}

/** Whether commands can be contained here. Found out by containing one. */
export type Probe =
  | { status: "works"; mechanism: SandboxProvider["name"]; version: string }
  | {
      status: "broken"
      mechanism: SandboxProvider["name"]
      /** What is wrong, in a few words: `bwrap was not found`. */
      reason: string
      /** What fixes it, a command where there is one. */
      hint: string
    }

/** A mechanism of the operating system that contains commands. */
export interface SandboxProvider {
  readonly name: "bubblewrap" | "seatbelt" | "off"
  /** Contains a harmless command and tells what came of it; leaves nothing. Never rejects. */
  probe(): Promise<Probe>
  /** Pure but for looks at the file system (what exists, what a link leads to); starts nothing. */
  wrap(argv: readonly string[], policy: SandboxPolicy): Wrapped
  /**
   * The sandbox of a command that is yet to come; nothing else may run in the policy's folders while
   * it is made. Absent where a sandbox takes no time.
   */
  prepare?(policy: Omit<SandboxPolicy, "alone" | "tool">): Prepared
  /** The line by which the shell of a prepared sandbox becomes the command; undefined: not this one. */
  lineFor?(argv: readonly string[]): string | undefined
  /**
   * A process that has a network with nothing but a loopback, which commands can share. It prints a
   * line when that is up, and ends with its standard input; its report names the process whose
   * namespaces they are, and whoever opens those has them when it has ended. Absent, or undefined,
   * where each command has a network of its own.
   */
  newNetwork?(): Wrapped | undefined
  /** Reads a report (`Wrapped.reports`), which may be half written. */
  started(report: string): Started
}
