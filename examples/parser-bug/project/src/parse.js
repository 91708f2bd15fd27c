/** Reads comma-separated values into rows of fields. */
export function parseCsv(text) {
  const rows = []
  let row = []
  let at = 0

  while (at < text.length) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    row.push(field.value)
    at = field.end

    if (text[at] === ",") {
      at += 1
      if (at === text.length) row.push("")
      continue
    }
    at = endOfLine(text, at)
    rows.push(row)
    row = []
  }

  if (row.length > 0) rows.push(row)
  return rows
}

function plainField(text, start) {
  let end = start
  while (end < text.length && !",\r\n".includes(text[end])) end += 1
  return { value: text.slice(start, end), end }
}

function quotedField(text, start) {
  const close = text.indexOf('"', start + 1)
  const end = close === -1 ? text.length : close
  return { value: text.slice(start + 1, end), end: end + 1 }
}

function endOfLine(text, start) {
  const end = text.indexOf("\n", start)
  return end === -1 ? text.length : end + 1
}
