// Long words, numbers and anything that is not Latin take several tokens; spaces take none.
const PIECE = /[A-Za-z]{1,6}|[0-9]{1,2}|\S/g

/** Estimates the number of tokens of a text, erring on the high side. */
export function tokensIn(text: string): number {
  return text.match(PIECE)?.length ?? 0
}

/** The beginning of a text that takes at most this many tokens, up to a space if possible. */
export function shortened(text: string, tokens: number): string {
  // A token has at most six characters and a space before it.
  const beginning = text.slice(0, (tokens + 1) * 7)
  const next = [...beginning.matchAll(PIECE)][tokens]
  if (next === undefined) return beginning.length < text.length ? `${beginning} …` : text
  const cut = text
    .slice(0, next.index)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/\s\S{0,20}$/, '')
  return cut === '' ? '' : `${cut} …`
}
