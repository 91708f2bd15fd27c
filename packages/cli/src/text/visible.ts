/**
 * Text that others wrote (a model, a file, a command), made harmless for a terminal: control
 * characters and bidirectional overrides are shown instead of obeyed, so that it can neither move
 * the cursor nor hide what a person is asked to approve. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(hidden, named)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function named(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
