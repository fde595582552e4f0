import { eastAsianWidth } from 'get-east-asian-width'

/** Width of a text in terminal columns: some characters take two, some none. Colours take none. */
export function displayWidth(text: string): number {
  const plain = text.includes('\u001b') ? withoutColours(text) : text
  if (/^[\u0020-\u007e]*$/.test(plain)) return plain.length
  let width = 0
  for (const { segment } of segmenter().segment(plain)) width += clusterWidth(segment)
  return width
}

/** Text beyond this length is never measured, since measuring takes longer than cutting. */
const MAX_MEASURED = 1000

/** The part of a text that fits into that many terminal columns. */
export function cut(whole: string, longest: number): string {
  const text = whole.slice(0, Math.max(longest, MAX_MEASURED))
  if (text === whole && displayWidth(text) <= longest) return text
  let kept = ''
  let width = 0
  for (const { segment } of segmenter().segment(text)) {
    width += displayWidth(segment)
    if (width >= longest) break
    kept += segment
  }
  return `${kept}…`
}

/** A text wrapped to that many columns, between words if possible. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = piecesOf(word, columns)
    line = pieces.pop() ?? ''
    lines.push(...pieces)
  }
  return [...lines, line]
}

/** A word longer than a line, in pieces that fit. */
function piecesOf(word: string, columns: number): string[] {
  if (displayWidth(word) <= columns) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of segmenter().segment(word)) {
    if (piece !== '' && displayWidth(piece + segment) > columns) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return text.replace(/\u001b\[[0-9;]*m/g, '')
}

/** Grapheme clusters: what a reader sees as one character. */
function clusterWidth(cluster: string): number {
  const [first, ...others] = [...cluster].filter((character) => rules().visible.test(character))
  if (first === undefined) return 0
  if (isEmoji(cluster)) return 2
  let width = eastAsianWidth(codePoint(first))
  for (const other of others) {
    const isBeside = rules().spacing.test(other) || (other >= '\uff00' && other <= '\uffef')
    if (isBeside) width += eastAsianWidth(codePoint(other))
  }
  return width
}

function isEmoji(cluster: string): boolean {
  if (cluster.length > 50) return false
  if (rules().emoji.test(cluster) || /^[\d#*]\u20e3$/.test(cluster)) return true
  return cluster.includes('\u200d') && (cluster.match(rules().pictographic) ?? []).length > 1
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}

let segments: Intl.Segmenter | undefined

/** Created lazily, for the first text beyond ASCII: creating it takes longer than many commands. */
function segmenter(): Intl.Segmenter {
  segments ??= new Intl.Segmenter()
  return segments
}

/** The compiler allows this flag only for newer targets, but every supported Node has it. */
const WITH_SETS: string = 'v'

let patterns: Readonly<Record<'visible' | 'spacing' | 'emoji' | 'pictographic', RegExp>> | undefined

function rules() {
  patterns ??= {
    visible:
      /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u,
    spacing: /\p{Spacing_Mark}/u,
    emoji: new RegExp('^\\p{RGI_Emoji}$', WITH_SETS),
    pictographic: /\p{Extended_Pictographic}/gu,
  }
  return patterns
}
