export const facts = {
  line: "npm test",
  shell: "sh" as const,
  cwd: ".",
  env: {},
  timeout_seconds: 120,
  sandbox: "os" as const,
  writes: "folder" as const,
  network: false,
}
export const npmTest = {
  subject: { type: "action" as const, action_id: "a1" },
  title: "run_command",
  preview: { format: "command" as const, text: "npm test", command: facts },
}
export const edit = {
  subject: { type: "action" as const, action_id: "a1" },
  title: "edit_file",
  preview: { format: "diff" as const, text: diffOf(3) },
}

/** A diff with so many hunks of five rows. */
export function diffOf(hunks: number): string {
  const all = Array.from({ length: hunks }, (_, hunk) => {
    const line = 100 * hunk + 1
    return `@@ -${line},3 +${line},3 @@\n a${hunk}\n-old ${hunk}\n+new ${hunk}\n z${hunk}\n`
  })
  return `--- a/a.txt\n+++ b/a.txt\n${all.join("")}`
}
