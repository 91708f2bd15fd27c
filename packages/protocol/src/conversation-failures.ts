/** The part of the catalogue that is about conversations: finding them, what they keep, what was allowed. */
export const conversationFailures = {
  approval_unknown: {
    message: "Nothing that was allowed for {folder} has the id {approval}.",
    next: "See `harness approvals list` for what was.",
    exit: 2,
  },
  approvals_invalid: {
    message: "{file} cannot be used, so nothing that it allows counts: {reason}.",
    next: "Remove it: what it allowed is asked about again.",
    exit: 1,
  },
  confirmation_required: {
    message: "harness {command} did nothing: it takes a yes and there is no terminal to ask in.",
    next: "Read above what it would do, then repeat with --yes.",
    exit: 2,
  },
  conversation_ambiguous: {
    message: "{conversation} is the beginning of {count} conversations: {found}.",
    next: "Give more of the id.",
    exit: 2,
  },
  conversation_changed: {
    message: "The conversation {conversation} has gone on since it was shown; nothing was done.",
    next: "Repeat the command, and look again.",
    exit: 1,
  },
  conversation_elsewhere: {
    message: "The conversation {conversation} is of another project than {folder}: {reason}.",
    next: "Name its folder with --folder. After you moved a folder without a git remote, correct its path in {folders}.",
    exit: 2,
  },
  conversation_folder_unknown: {
    message: "The folder that {conversation} worked in is not known here: {reason}.",
    next: "Name it with --folder.",
    exit: 2,
  },
  conversation_locked: {
    message: "The conversation {conversation} is open in another process ({pid}).",
    next: "Close it there first.",
    exit: 1,
  },
  conversation_unknown: {
    message: "There is no conversation {conversation}.",
    next: "Give its id (harness conversations list --all shows them), a beginning of it, or last.",
    exit: 2,
  },
  disk_full: {
    message: "HARNESS_HOME {home} has no room left: the disk is full.",
    next: "Make room on the disk (harness gc --dry-run shows what it would free), then repeat.",
    exit: 3,
  },
  evidence_ambiguous: {
    message: "{evidence} is the beginning of {count} hashes of the conversation {conversation}.",
    next: "Give more of the hash.",
    exit: 2,
  },
  evidence_exhausted: {
    message:
      "The conversation's {limit_bytes} bytes of evidence are used up ({used_bytes} used, {asked_bytes} asked for).",
    next: "Raise limits.evidence_bytes in config.jsonc, or start a new conversation.",
    exit: 3,
  },
  evidence_unknown: {
    message: "The conversation {conversation} keeps nothing under {evidence}.",
    next: "Give a sha256 of its receipts, a beginning of one, or output:<id>; harness run --json and the log name them.",
    exit: 2,
  },
  log_damaged: {
    message: "The log {file} does not hold at record {record}: {reason}.",
    next: "Restore the file from a copy; harness does not write to a log that was altered.",
    exit: 1,
  },
  log_unreadable: {
    message: "The log {file} cannot be read: {reason}.",
    next: "Check its permissions.",
    exit: 1,
  },
  log_unwritable: {
    message: "The log {file} cannot be written: {reason}.",
    next: "Make room on the disk (harness gc --dry-run shows what it would free), then repeat.",
    exit: 3,
  },
  turn_not_ended: {
    message: "The turn {turn} of the conversation {conversation} has not ended.",
    next: "Name an earlier one with --turn, or wait. One that was cut off ends when the conversation is resumed.",
    exit: 1,
  },
  turn_unknown: {
    message: "The conversation {conversation} has no turn {turn}; it has {count}.",
    next: "Name one of those with --turn, or leave --turn away.",
    exit: 2,
  },
} as const
