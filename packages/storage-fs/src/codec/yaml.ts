import { inKeyOrder } from '@minions/core/json'
import { refuseNesting } from '@minions/files'
import { Document, parseDocument, visit } from 'yaml'
import type { Codec } from './codec.js'

/** Lines consisting only of spaces do not survive in a block of text. */
const BLANK_LINE = /(^|\n)[ \t]+(\n|$)/

export const yamlCodec: Codec = {
  format: 'yaml',
  extension: '.yaml',
  encode(record) {
    const document = new Document(inKeyOrder(record), { aliasDuplicateObjects: false })
    visit(document, {
      Scalar(_, node) {
        if (typeof node.value === 'string' && BLANK_LINE.test(node.value)) node.type = 'QUOTE_DOUBLE'
      },
    })
    const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
    // At the very beginning of a file it would be a byte order mark and not part of the first key.
    return text.startsWith('\ufeff') ? `---\n${text}` : text
  },
  decode(text) {
    refuseNesting(text)
    const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error' })
    const [error] = [...document.errors, ...document.warnings]
    if (error) throw error
    return document.toJS({ maxAliasCount: 100 })
  },
}
