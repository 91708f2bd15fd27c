/** Writes rows of fields as comma-separated values, each row ended by a line feed. */
export function formatCsv(rows) {
  return rows.map(row => `${row.map(quoteField).join(",")}\n`).join("")
}

function quoteField(field) {
  const text = String(field)
  if (!/[",\r\n]/.test(text)) return text
  return `"${text.replaceAll('"', '""')}"`
}
