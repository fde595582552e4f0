import { messageOf } from '@minions/core'
import { isRecord } from '@minions/core/json'
import { type Issue, issueAt } from '@minions/core/schema'
import { refuseNesting } from '@minions/files'
import { CST, type Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, parseDocument, visit } from 'yaml'

/** The content of a `SKILL.md`: the attributes at its top, and the text below them. */
export interface FrontMatter {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly body: string
}

const FENCE = '---'

/**
 * Splits a `SKILL.md` and reads its attributes by the rules of the Agent Skills standard: from the first `---` to the
 * next one, anywhere on a line, in a strict subset of YAML in which every scalar is a string. Flow collections,
 * anchors, aliases, tags and repeated keys are refused.
 */
export function parseFrontMatter(source: string): FrontMatter | Issue {
  const text = source.replaceAll(/\r\n?/g, '\n')
  if (!text.startsWith(FENCE)) return problem('FRONT_MATTER_MISSING', 'must begin with a line of "---"')
  const end = text.indexOf(FENCE, FENCE.length)
  if (end < 0) return problem('FRONT_MATTER_OPEN', 'must have front matter that ends with a line of "---"')
  try {
    const attributes = parseStrict(text.slice(FENCE.length, end))
    if (!isRecord(attributes)) {
      return problem('FRONT_MATTER_TYPE', 'must have a mapping of attributes as front matter')
    }
    return { attributes, body: text.slice(end + FENCE.length).trim() }
  } catch (error) {
    return problem('YAML', `has front matter that is not strict YAML: ${messageOf(error).split('\n', 1)[0]}`)
  }
}

// Characters that YAML does not allow in a stream; the library lets them pass.
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

function parseStrict(yaml: string): unknown {
  if (UNPRINTABLE.test(yaml)) throw new Error('Control characters are not allowed.')
  refuseTabs(yaml)
  refuseNesting(yaml)
  const document = parseQuoted(yaml)
  const wrong = document.errors[0] ?? document.warnings[0]
  if (wrong !== undefined) throw wrong
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) throw new Error('Aliases are not allowed.')
      if (isNode(node) && 'anchor' in node && node.anchor !== undefined) throw new Error('Anchors are not allowed.')
      if (node.tag !== undefined) throw new Error('Tags are not allowed.')
      if ((isMap(node) || isSeq(node)) && node.flow) throw new Error('Lists and mappings must be written as blocks.')
      if (!isScalar(node)) return
      if (node.type === 'PLAIN' && node.source?.includes('\t')) throw new Error(TAB)
      if (node.value === null) node.value = ''
    },
    Pair(_key, { key }) {
      if (isScalar(key) && key.value === '<<') throw new Error('Merge keys are not allowed.')
    },
  })
  return document.toJS({ mapAsMap: false })
}

const STRICT = { schema: 'failsafe', uniqueKeys: true, logLevel: 'silent', stringKeys: true } as const

/** Maximum number of quoted lines that are indented, and of characters for which that is tried. */
const MARGIN = { lines: 100, characters: 20_000 } as const

/**
 * Parses YAML in which quoted strings may continue at the left margin: the standard allows that, YAML 1.2 requires
 * indentation.
 */
function parseQuoted(yaml: string): Document {
  let text = yaml
  for (let line = 0; ; line++) {
    const document = parseDocument(text, STRICT)
    const [error] = document.errors
    const isOpen = error?.code === 'MISSING_CHAR' && error.message.startsWith('Missing closing')
    if (!isOpen || line === MARGIN.lines || yaml.length > MARGIN.characters) return document
    const [, next] = error.pos
    if (next >= text.length || /^\.\.\.(?:\s|$)/.test(text.slice(next, next + 4))) return document
    // White space at the beginning of such a line is not part of the text.
    text = text.slice(0, next) + ' '.repeat(80) + text.slice(next)
  }
}

const TAB = 'Tabs are allowed only in quoted strings and blocks.'

function refuseTabs(yaml: string): void {
  if (!yaml.includes('\t')) return
  for (const lexeme of new Lexer().lex(yaml)) {
    if (CST.tokenType(lexeme) === 'space' && lexeme.includes('\t')) throw new Error(TAB)
  }
}

function problem(code: string, message: string): Issue {
  return issueAt('', code, message)
}
