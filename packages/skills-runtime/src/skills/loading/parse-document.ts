import { getOwn, isRecord } from '@minions/core/json'
import { refuseNesting } from '@minions/files'
import { parseAllDocuments } from 'yaml'

/** Maximum number of aliases; more are an attempt to exhaust memory. */
const MAX_ALIASES = 50
const MAX_DOCUMENTS = 1000

/** Parses JSON. Throws what `JSON.parse` throws. */
export function parseJson(text: string): unknown[] {
  return skillsIn(JSON.parse(text))
}

/** Parses YAML with one or more documents. Throws on the first error, and on exploding aliases. */
export function parseYaml(text: string): unknown[] {
  refuseNesting(text)
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: 'error' })
  if (!Array.isArray(documents)) return []
  if (documents.length > MAX_DOCUMENTS) throw new Error(`There are more than ${MAX_DOCUMENTS} documents.`)
  return documents.flatMap((document) => {
    const problem = document.errors[0] ?? document.warnings[0]
    if (problem !== undefined) throw problem
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return value === null || value === undefined ? [] : skillsIn(value)
  })
}

/** The front matter of a `SKILL.md` and the text below it. Throws when there is no front matter. */
export function parseMarkdown(text: string): unknown[] {
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  if (match === null) throw new Error('There is no front matter between two lines of "---" at the top.')
  const [head] = parseYaml(match[1] ?? '')
  if (!isRecord(head)) throw new Error('The front matter is not a list of attributes.')
  const instructions = text.slice(match[0].length).trim()
  return [instructions === '' ? head : { ...head, instructions }]
}

/** A document is a skill, a list of skills, or an object with such a list under `skills`. */
function skillsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const listed = isRecord(value) ? getOwn(value, 'skills') : undefined
  return Array.isArray(listed) ? listed : [value]
}
