import { promptsError } from '../errors.js'

/** Format of a name, valid in a URL, in a file name and on a command line. */
export const PROMPT_NAME_PATTERN = '^[a-z0-9]+(?:[._/-][a-z0-9]+)*$'

/** Maximum length of a name. */
export const MAX_PROMPT_NAME = 100

const PATTERN = new RegExp(PROMPT_NAME_PATTERN)

/** Throws `NAME_INVALID` for a string that cannot be the name of a prompt. */
export function assertPromptName(name: unknown): asserts name is string {
  if (isPromptName(name)) return
  throw promptsError(
    'NAME_INVALID',
    `${JSON.stringify(name)?.slice(0, 120)} cannot be the name of a prompt: a name consists of lower-case letters and digits, with single . _ / or - between them, at most ${MAX_PROMPT_NAME} characters, such as "support-bot".`,
    { details: { name } },
  )
}

export function isPromptName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_PROMPT_NAME && PATTERN.test(name)
}

/** A name derived from a title; `prompt` if none of its letters or digits can be used. */
export function nameFromTitle(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .slice(0, 4 * MAX_PROMPT_NAME)
  const words = plain.replace(/[\u0300-\u036f]/g, '').match(/[a-z0-9]+/g) ?? []
  let name = ''
  for (const word of words) {
    const longer = name === '' ? word.slice(0, MAX_BASE) : `${name}-${word}`
    if (longer.length > MAX_BASE) break
    name = longer
  }
  return name || 'prompt'
}

/** Leaves space for a numeric suffix. */
const MAX_BASE = MAX_PROMPT_NAME - 10
