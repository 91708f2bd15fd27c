import { allowedOnHost, onHost, type Probe } from "../support/probe.ts"

const HELD = /Read-only file system|Device or resource busy/

/** Ways to make the host run code later, by what lies in the project. */
export const projectProbes: readonly Probe[] = [
  {
    name: ".git/hooks write",
    script: "echo x > .git/hooks/pre-commit && rm .git/hooks/pre-commit && echo ESCAPED",
    says: HELD,
    control: onHost,
  },
  {
    name: ".git/config by git config",
    script: "git config harness.escape yes && git config --unset harness.escape && echo ESCAPED",
    says: HELD,
    control: onHost,
  },
  {
    name: "mv .git",
    script: "mv .git .git2 && mv .git2 .git && echo ESCAPED",
    says: HELD,
    control: onHost,
  },
  {
    name: "mv .git/hooks",
    script: "mv .git/hooks .git/hooks2 && mv .git/hooks2 .git/hooks && echo ESCAPED",
    says: HELD,
    control: onHost,
  },
  {
    name: ".git/hooks via rm -rf and recreate",
    script:
      "rm -rf .git/hooks; mkdir -p .git/hooks && echo x > .git/hooks/post-checkout && echo ESCAPED",
    says: HELD,
    control: onHost,
  },
  {
    name: "nested repo hook",
    script: "git init -q sub && echo x > sub/.git/hooks/pre-commit && echo allowed; rm -rf sub",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "git commit works",
    script: "git -c user.name=a -c user.email=a@b.c commit --allow-empty -qm probe && echo allowed",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: ".vscode/tasks.json",
    script: "mkdir -p .vscode && echo {} > .vscode/tasks.json && echo allowed; rm -rf .vscode",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: ".envrc",
    script: "echo x > .envrc && echo allowed; rm -f .envrc",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "package.json scripts",
    script: `echo '{"scripts":{"postinstall":"x"}}' > package.json && echo allowed`,
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "AGENTS.md",
    script: "echo x > AGENTS.md && echo allowed; rm -f AGENTS.md",
    says: /allowed/,
    outcome: "allowed",
    control: allowedOnHost,
  },
  {
    name: "control files that exist (own)",
    script:
      "for each in .gitmodules .idea/workspace.xml .devcontainer/devcontainer.json node_modules/.pnpm/lock.yaml; do echo x >> $each && echo ESCAPED; mv $each moved; rm -f $each; done; mv .idea moved; mv node_modules moved; ls .gitmodules .idea node_modules/.pnpm",
    says: /(Read-only|busy)(.|\n)*lock\.yaml/,
    control: {
      in: "host",
      script: "cp .gitmodules kept; echo x >> .gitmodules && echo ESCAPED; mv kept .gitmodules",
    },
  },
]
