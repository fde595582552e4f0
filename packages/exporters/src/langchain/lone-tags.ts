import { unsupported } from '../errors.js'

/** A part of a mustache template as its line rules see it. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly source: string }
  | { readonly kind: 'value'; readonly source: string }
  | { readonly kind: 'tag'; readonly source: string }

/** Mustache drops the white space of a line that has nothing but block tags on it; we do not. */
export function assertNoLoneTags(pieces: readonly Piece[]): void {
  let line = { hasTag: false, hasSpace: false, hasContent: false }
  const end = () => {
    if (line.hasTag && line.hasSpace && !line.hasContent) {
      throw unsupported('LangChain', 'a block tag alone on its line', 'would take the line break with it there')
    }
    line = { hasTag: false, hasSpace: false, hasContent: false }
  }
  for (const piece of pieces) {
    if (piece.kind === 'tag') line.hasTag = true
    else if (piece.kind === 'value') line.hasContent = true
    else {
      const [first = '', ...others] = piece.text.split('\n')
      note(first)
      for (const text of others) {
        line.hasSpace = true
        end()
        note(text)
      }
    }
  }
  end()

  function note(text: string): void {
    if (/\s/.test(text)) line.hasSpace = true
    if (/\S/.test(text)) line.hasContent = true
  }
}
