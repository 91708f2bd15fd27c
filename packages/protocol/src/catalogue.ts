import { conversationFailures } from "./conversation-failures.ts"

/**
 * Every failure that a user can meet: the sentence (names in braces are details), the next step and
 * the exit code of `harness` when a command ends with it (1 failed, 2 usage, 3 limit,
 * 4 policy or containment, 5 verification). `docs/errors/README.md` has a section for each code,
 * and a test compares the two.
 */
export const catalogue = {
  ...conversationFailures,
  action_unknown: {
    message: "The kind {kind} has no action {action}.",
    next: "Its actions are: {known}.",
    exit: 1,
  },
  command_invalid: {
    message: "The command {command} was refused: {reason}.",
    next: "See the schema of KernelCommand in @harness/protocol.",
    exit: 2,
  },
  commands_unsupported: {
    message: "The kind {kind} runs no commands.",
    next: "Run it in another terminal.",
    exit: 2,
  },
  config_invalid: {
    message: "{file}:{line}: {key}: {reason}.",
    next: "Correct the value, or remove the key to get the default; `harness config show` lists all.",
    exit: 2,
  },
  consent_outdated: {
    message: "{name} was not installed: {agreed} was agreed to, but it is {found} now.",
    next: "Install it again, and read what it contributes and may do.",
    exit: 2,
  },
  consent_required: {
    message: "{name} was not installed: consent is needed and there is no terminal to ask in.",
    next: "Read what it contributes and may do above, then repeat with --yes.",
    exit: 2,
  },
  folder_missing: {
    message: "The folder {folder} does not exist.",
    next: "Name an existing folder with --folder.",
    exit: 2,
  },
  folder_not_directory: {
    message: "{folder} is not a folder.",
    next: "Name the folder that contains it with --folder.",
    exit: 2,
  },
  folder_reserved: {
    message: "The folder {folder} lies in HARNESS_HOME {home}, which holds harness's own state.",
    next: "Name a project's folder with --folder.",
    exit: 2,
  },
  folder_unreadable: {
    message: "The folder {folder} cannot be read: {reason}.",
    next: "Check its permissions.",
    exit: 2,
  },
  folders_invalid: {
    message: "{file} cannot be used: {reason}.",
    next: "Restore it from a copy, or remove it: conversations in folders without a git remote then get a new key.",
    exit: 1,
  },
  home_unusable: {
    message: "HARNESS_HOME {home} cannot be used: {reason}.",
    next: "Make it a folder of your own that can be written, or set HARNESS_HOME to another one.",
    exit: 1,
  },
  image_unusable: {
    message: "The image {image} {reason}.",
    next: "Give a PNG, JPEG, GIF or WebP file within limits.image_bytes and limits.image_pixels.",
    exit: 2,
  },
  install_failed: {
    message: "{name} could not be installed: {reason}.",
    next: "{hint}",
    exit: 1,
  },
  key_locked: {
    message: "The key of {provider} is in the keychain, which cannot be used: {reason}.",
    next: "{hint}",
    exit: 1,
  },
  key_missing: {
    message: "The provider {provider} needs a key and {variable} is not set.",
    next: "{hint}",
    exit: 2,
  },
  key_refused: {
    message: "No key was stored for {provider}: {reason}.",
    next: "{hint}",
    exit: 2,
  },
  keys_unusable: {
    message: "{file} cannot be used: {reason}.",
    next: "Make it a file of your own with mode 0600, or remove it and store the keys again: harness login <provider>.",
    exit: 1,
  },
  kind_not_installed: {
    message: "No package that brings a kind of environment is installed.",
    next: "Install one: harness install workspace (from a checkout: harness install ./packages/workspace --link).",
    exit: 2,
  },
  kind_unknown: {
    message: "There is no kind {kind}.",
    next: "Installed kinds: {known}.",
    exit: 2,
  },
  lock_damaged: {
    message: "{file} cannot be read: {reason}.",
    next: "Correct it, or move it away and install the packages again; on the disk: {installed}.",
    exit: 1,
  },
  model_missing: {
    message: "No model was named.",
    next: "Set HARNESS_MODEL=provider/model (for example openai-compatible/qwen3-coder), or pass --model.",
    exit: 2,
  },
  model_unknown: {
    message: "The model {model} cannot be used: {reason}.",
    next: "Name it as provider/model; installed providers: {known}. To install: provider-anthropic, provider-openai, provider-google.",
    exit: 2,
  },
  models_unlisted: {
    message: "Which models {server} has is not known: {reason}.",
    next: 'Name them by hand: --model provider/model. What you know of one stands in config.jsonc under models."provider/model".',
    exit: 1,
  },
  option_invalid: {
    message: "{option} {value}: {reason}.",
    next: "See harness {command} --help.",
    exit: 2,
  },
  package_broken: {
    message: "The package {name} cannot be loaded: {reason}.",
    next: "Install it again, or remove it: harness uninstall {name}.",
    exit: 1,
  },
  package_builtin: {
    message: "{name} comes with harness and cannot be uninstalled.",
    next: "A package that you install under the same name takes its place.",
    exit: 2,
  },
  package_conflict: {
    message: "{name} brings {what}, which {other} brings already.",
    next: "{hint}",
    exit: 2,
  },
  package_invalid: {
    message: "{source} is not a harness package that can be installed: {reason}.",
    next: 'It needs a "harness" key in its package.json, and built modules unless it is linked; see docs/guide/packages.md.',
    exit: 2,
  },
  package_not_found: {
    message: "The package {source} was not found: {reason}.",
    next: "Give a name, npm:<spec>, a folder (./path) or a tarball.",
    exit: 2,
  },
  package_not_installed: {
    message: "{name} is not installed.",
    next: "harness list shows what is.",
    exit: 2,
  },
  packages_locked: {
    message: "Another process is changing the packages in {home}.",
    next: "Wait until it has ended, then repeat.",
    exit: 1,
  },
  policy_failed: {
    message:
      "The policy {policy} failed while it judged {action}: {reason}. The action was denied.",
    next: "Repair or uninstall the package that brings the policy.",
    exit: 4,
  },
  price_unknown: {
    message: "The price of {model} is not known, so a cost limit cannot be kept.",
    next: 'Set it in config.jsonc under models."{model}".price, pass --allow-unknown-price, or leave --max-cost away.',
    exit: 4,
  },
  program_runtime_missing: {
    message: "No installed package runs programs in {language}.",
    next: "Use --style tools, or install a program runtime; installed languages: {known}.",
    exit: 2,
  },
  program_runtime_failed: {
    message: "The {language} runtime did not start: {reason}.",
    next: "Use --style tools to go on without programs.",
    exit: 1,
  },
  project_changed: {
    message: "{folder} was not trusted: its .harness/ changed since it was shown.",
    next: "Repeat the command, and read what it brings.",
    exit: 2,
  },
  project_unusable: {
    message: "The .harness/ of {folder} cannot be trusted: {reason}.",
    next: "Correct it; until then it is ignored.",
    exit: 2,
  },
  provider_failed: {
    message: "{provider} did not answer for {model}: {reason}.",
    next: "{hint}",
    exit: 1,
  },
  provider_unknown: {
    message: "No provider {provider} is installed.",
    next: "Name one of the installed ones: {known}. To install: provider-anthropic, provider-openai, provider-google.",
    exit: 2,
  },
  replay_diverged: {
    message:
      "The recording {recording} expected {expected} before its message {message}, but got {found}.",
    next: "Look at the result above: the project or harness does not behave as when it was recorded.",
    exit: 1,
  },
  replay_invalid: {
    message: "The recording {recording} cannot be played: {reason}.",
    next: "Name a recording that exists: --model replay/<path of recording.jsonl>.",
    exit: 2,
  },
  sandbox_unavailable: {
    message: "Commands cannot be contained here: {reason}.",
    next: "{hint}",
    exit: 4,
  },
  step_interrupted: {
    message: "The step was interrupted by the user.",
    next: "Say what is to be done instead: the turn goes on with it.",
    exit: 1,
  },
  ticket_refused: {
    message: "The worker refused {action}: {reason}.",
    next: "Only the scheduler may start an action; report this as a bug if it did.",
    exit: 1,
  },
  trust_damaged: {
    message: "{file} cannot be used: {reason}.",
    next: "Restore it from a copy, or remove it: the projects in it then have to be trusted again.",
    exit: 1,
  },
  trust_required: {
    message: "{folder} was not trusted: it takes a yes and there is no terminal to ask in.",
    next: "Read what it brings above, then repeat with --yes.",
    exit: 2,
  },
  unexpected: {
    message: "Something went wrong that harness did not foresee: {reason}.",
    next: "Please report it with the command that you ran; HARNESS_DEBUG=1 prints the stack.",
    exit: 1,
  },
  verify_unsupported: {
    message: "The kind {kind} has no command to verify with.",
    next: "Leave --verify away, or use a kind that runs commands.",
    exit: 2,
  },
  worker_failed: {
    message: "The worker of {kind} did not start: {reason}.",
    next: "Reinstall the package that brings {kind}; HARNESS_DEBUG=1 shows what the worker printed.",
    exit: 1,
  },
} as const

export type FailureCode = keyof typeof catalogue

type Names<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** The details that a code's sentences need, by name. */
export type FailureDetails<Code extends FailureCode> = {
  [Name in Names<(typeof catalogue)[Code]["message"] | (typeof catalogue)[Code]["next"]>]:
    | string
    | number
} & (Code extends "provider_failed" ? ProviderFailedDetails : unknown)

/** What a retry of a model request needs to know. Left out, the request must not be repeated. */
export type ProviderFailedDetails = {
  /** The fault may pass: the same request can succeed later. */
  retryable?: boolean
  /** How long the provider asks to wait; null when it did not say. */
  retry_after_ms?: number | null
  /** Some of the reply had come: it is lost, and may have cost something. */
  output_begun?: boolean
  /** The server refused the request, or was never reached: nobody can have billed it. */
  unbilled?: boolean
  /** The prompt is larger than the model's window: a shorter one can succeed. */
  context_overflow?: boolean
  /** The window in tokens, when the server named it with the refusal. */
  context_tokens?: number | null
}
