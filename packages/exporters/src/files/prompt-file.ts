import { isRecord, type JsonObject } from '@minions/core/json'
import { isPromptName, messagesText, parseMessages } from '@minions/prompts'
import { readFrontMatter, writeFrontMatter } from '../exchange/front-matter.js'
import { defined } from '../exchange/portable-prompt.js'
import { invalid } from '../exchange/read-messages.js'
import type { PromptState } from './prompt-state.js'

/** A file of a folder of prompts. */
export interface TextFile {
  /** Relative to the folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** A prompt as stored in a file. */
export interface PromptFile {
  readonly path: string
  readonly name: string
  /** Id of the version it was written from; undefined for a file written by hand. */
  readonly version?: string | undefined
  readonly state: PromptState
}

const KNOWN = ['name', 'version', 'title', 'description', 'tags', 'type', 'settings', 'responseSchema']

/**
 * A prompt as Markdown with front matter: followed by the text, or the messages, each below a line such as `[user]`.
 */
export function writeFile({ name, version, state }: Omit<PromptFile, 'path'>): TextFile {
  const { content, messages, title, description, tags, settings, responseSchema } = state
  const data = defined({
    name,
    title,
    description,
    tags: tags && [...tags],
    type: messages ? 'chat' : undefined,
    settings,
    responseSchema,
    version,
  }) as JsonObject
  return {
    path: `${name}.md`,
    text: writeFrontMatter({ data, body: `${messages ? messagesText(messages) : content}\n` }),
  }
}

/** Throws `IMPORT_INVALID` with the path. */
export function readFile({ path, text }: TextFile): PromptFile {
  const fail = (problem: string, cause?: unknown) => invalid(`markdown (${path})`, problem, cause)
  // Line ends as git checks files out on some systems.
  const { data, body } = readFrontMatter(
    `markdown (${path})`,
    text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text,
  )
  const {
    name = path.replace(/\.md$/, ''),
    version,
    title = name,
    description,
    tags,
    type,
    settings,
    responseSchema,
  } = data
  const unknown = Object.keys(data).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined) throw fail(`"${unknown}" is not a property of a prompt; use one of ${KNOWN.join(', ')}`)
  if (!isPromptName(name)) throw fail(`${JSON.stringify(name)} cannot be the name of a prompt`)
  for (const [key, value] of Object.entries({ version, title, description })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) throw fail(`${key} must be a string`)
  }
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'))) {
    throw fail('tags must be a list of strings')
  }
  for (const [key, value] of Object.entries({ settings, responseSchema })) {
    if (value !== undefined && !isRecord(value)) throw fail(`${key} must be a mapping`)
  }
  if (type !== undefined && type !== 'chat' && type !== 'text') throw fail('type must be chat or text')
  const content = body.replace(/\n$/, '')
  const state = {
    ...(type === 'chat' ? { messages: messagesIn(content, fail) } : { content }),
    title,
    ...defined({ description, tags, settings, responseSchema }),
  } as PromptState
  return { path, name, version: version as string | undefined, state }
}

function messagesIn(content: string, fail: (problem: string, cause?: unknown) => Error) {
  try {
    return parseMessages(content)
  } catch (cause) {
    throw fail((cause as Error).message.replace(/\.$/, ''), cause)
  }
}
