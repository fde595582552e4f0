/** Puts the lines of a text into one, with single spaces where the breaks were. Takes time in proportion to the text. */
export function oneLine(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}
