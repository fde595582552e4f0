import { guarded } from '../errors/guard.js'
import type { Minion } from '../schemas/minion.js'

/** Maximum length of the searchable text; without a limit, a large text would be stored twice. */
const MAX_SEARCHABLE_TEXT = 256 * 1024

/** Maximum number of strings of a list that become part of it. */
export const MAX_SEARCHED = MAX_SEARCHABLE_TEXT

type Attributes = Pick<Minion<object>, 'title' | 'description' | 'tags'>

/** The lower-cased title, description, tags and strings of all fields, joined by spaces; at most 256 K characters. */
export const searchableText = guarded('searchableText', (minion: Attributes & Pick<Minion<object>, 'fields'>): string =>
  searchableTextOf(minion, textOf(minion.fields as Readonly<Record<string, unknown>>)),
)

/** Like `searchableText`, when the text of the fields is already known. */
export function searchableTextOf({ title, description, tags }: Attributes, fieldsText: string): string {
  let text = appendText('', title)
  if (description !== undefined) text = appendText(text, description)
  if (tags !== undefined) text = appendText(text, tags)
  text = appendText(text, fieldsText)
  return (text.length > MAX_SEARCHABLE_TEXT ? cut(text) : text).toLowerCase()
}

export function textOf(values: Readonly<Record<string, unknown>>): string {
  let text = ''
  // In name order, because a database need not preserve any other.
  for (const name of Object.keys(values).sort()) text = appendText(text, values[name])
  return text
}

/** Appends a string, or each string of a list; other values are not searchable. */
export function appendText(text: string, value: unknown): string {
  if (typeof value === 'string') return value === '' ? text : text === '' ? value : `${text} ${value}`
  return Array.isArray(value) ? appendList(text, value) : text
}

function appendList(text: string, list: readonly unknown[]): string {
  let result = text
  const count = Math.min(list.length, MAX_SEARCHED)
  for (let index = 0; index < count; index++) {
    const element = list[index]
    if (typeof element === 'string') result = appendText(result, element)
  }
  return result
}

function cut(text: string): string {
  const next = text.charCodeAt(MAX_SEARCHABLE_TEXT)
  // Cutting a surrogate pair in two would produce a string that cannot be stored.
  return text.slice(0, next >= 0xdc00 && next <= 0xdfff ? MAX_SEARCHABLE_TEXT - 1 : MAX_SEARCHABLE_TEXT)
}
