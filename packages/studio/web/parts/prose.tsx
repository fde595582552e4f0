/** A text of a schema or a summary: what stands between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
