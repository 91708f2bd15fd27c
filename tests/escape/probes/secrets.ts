import { allowedOnHost, onHost, type Probe } from "../support/probe.ts"

/** Ways to see what is none of a command's business. */
export const secretProbes: readonly Probe[] = [
  {
    name: "env secret",
    script: 'env | grep "^HARNESS_FAKE_KEY=" && echo ESCAPED; echo looked',
    says: /^looked$/m,
    control: onHost,
  },
  {
    name: "read ~/.ssh",
    script: 'cat "$HOME/.ssh/id_test" && echo ESCAPED',
    says: /No such file|Permission denied/,
    control: onHost,
  },
  {
    name: "read ~/.aws",
    script: 'cat "$HOME/.aws/credentials" && echo ESCAPED',
    says: /No such file|Permission denied/,
    control: onHost,
  },
  {
    name: "read ~/.npmrc (own)",
    script: 'cat "$HOME/.npmrc" && echo ESCAPED',
    says: /No such file|Permission denied/,
    control: onHost,
  },
  {
    name: "read HARNESS_HOME (own)",
    script: 'cat "$HARNESS_HOME/config.jsonc" && echo ESCAPED',
    says: /No such file|Permission denied/,
    control: onHost,
  },
  {
    name: "uncover ~/.ssh (own)",
    script:
      'umount "$HOME/.ssh"; mv "$HOME/.ssh" "$HOME/.ssh2"; rm -rf "$HOME/.ssh"; cat "$HOME/.ssh/id_test" "$HOME/.ssh2/id_test" && echo ESCAPED',
    says: /No such file|Permission denied/,
    control: {
      in: "namespace",
      script:
        'mount -t tmpfs none "$HOME/.ssh" && umount "$HOME/.ssh" && cat "$HOME/.ssh/id_test" && echo ESCAPED',
    },
  },
  {
    name: "list other home",
    script: 'ls "$HOME/run" > /dev/null && echo allowed || echo hidden',
    says: /allowed|hidden/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "host /tmp visible",
    script: 'ls "$MARKER" && echo ESCAPED',
    says: /No such file/,
    control: onHost,
  },
]
