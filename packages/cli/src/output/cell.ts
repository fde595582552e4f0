/** Titles can come from anyone, and must not move the cursor or change colours. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

export function show(value: unknown): string {
  if (value === undefined || value === null) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}
