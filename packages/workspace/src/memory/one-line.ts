/** Joins the lines of a text with single spaces, in linear time. */
export function oneLine(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
