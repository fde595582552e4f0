/** Whether every database can hold a text: not with U+0000 or half a pair of surrogates in it. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
