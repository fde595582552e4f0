/** A part of a mustache template for its line rules. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly source: string }
  | { readonly kind: 'value' | 'opening' | 'closing'; readonly source: string }

/** A variable that is never given, and so renders as nothing: none of ours can have its name. */
const NOTHING = '{{-}}'

/**
 * The template. Mustache drops the white space of a line that has block tags and no value or text on it; we do not, so
 * such a line gets a value, outside of the block if possible.
 */
export function joinPieces(pieces: readonly Piece[]): string {
  const sources = pieces.map(({ source }) => source)
  let line: Line = {}
  const end = () => {
    if (line.tag !== undefined && line.hasSpace && !line.hasContent) {
      const source = sources[line.tag]
      sources[line.tag] = pieces[line.tag]?.kind === 'opening' ? NOTHING + source : source + NOTHING
    }
    line = {}
  }
  const note = (text: string) => {
    if (/\s/.test(text)) line.hasSpace = true
    if (/\S/.test(text)) line.hasContent = true
  }
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'value') line.hasContent = true
    else if (piece.kind !== 'text') line.tag ??= index
    else {
      for (const text of piece.text.split(/(?<=\n)/)) {
        note(text)
        if (text.endsWith('\n')) end()
      }
    }
  }
  end()
  return sources.join('')
}

interface Line {
  /** The index of its first block tag. */
  tag?: number
  hasSpace?: boolean
  hasContent?: boolean
}
