import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, generateId } from '@minions/core'
import { compareCodePoints, isRecord } from '@minions/core/json'
import { guardMethods, readClock, takeOptions } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import { accessing, workspaceError } from '../errors.js'
import { appendLine } from '../files/append-line.js'
import { makeDirectory } from '../files/make-directory.js'
import { fileTime } from '../files/paths.js'
import { ifPresent, readTextIfPresent } from '../files/read-text.js'
import { unlessExists } from '../files/unless-exists.js'
import { dataPathNames } from '../folder/data-path.js'
import { WorkspaceLayout } from '../folder/layout.js'
import { copyForFile } from '../json/copy.js'
import { readExactly, Unread } from '../json/exact.js'

const SUFFIX = '.jsonl'

/** One line of a session. Agents write `role`, `content`, `timestamp`, `session_id` and `meta`. */
export type SessionMessage = Record<string, unknown>

export interface Session {
  readonly id: string
  readonly path: string
}

export const SessionEntrySchema = Type.Object({
  id: Type.String(),
  path: Type.String(),
  bytes: Type.Integer(),
  updated_at: Type.String(),
})

export type SessionEntry = Readonly<Static<typeof SessionEntrySchema>>

/** A line that could not be read; the others were. Not an `Issue`: there is not yet a value that could break a rule. */
export interface SessionProblem {
  readonly line: number
  readonly message: string
  readonly text: string
}

export interface SessionContent {
  readonly messages: SessionMessage[]
  readonly problems: SessionProblem[]
}

/** The conversations of a workspace: one file of JSON lines each, below `sessions/`. */
export class SessionStore {
  readonly #directory: string
  readonly #clock: Clock | undefined

  constructor(root: string, options: { readonly clock?: Clock } = {}) {
    this.#directory = WorkspaceLayout.fromRoot(root).sessionsDir
    this.#clock = takeOptions('The options of a session store', options).clock
  }

  /** Starts a session. Ids begin with the time, so that they sort; throws `CONFLICT` when a given one exists. */
  async create(id = `${fileTime(readClock(this.#clock))}_${generateId().slice(0, 8)}`): Promise<Session> {
    const session = { id, path: this.#path(id) }
    await makeDirectory(this.#directory)
    const create = () => unlessExists(writeFile(session.path, '', { flag: 'wx' }))
    if (await accessing('Creating the session', session.path, create)) return session
    throw workspaceError('CONFLICT', `The session ${JSON.stringify(id)} already exists.`, { details: { id } })
  }

  /** Appends one message unchanged. Any number of processes may append to one session at once. */
  async append(session: string | Session, message: SessionMessage): Promise<void> {
    if (!isRecord(message)) throw workspaceError('VALIDATION_FAILED', 'A session message must be an object.')
    const path = this.#path(session)
    const line = JSON.stringify(copyForFile(message, 'The session message'))
    await makeDirectory(this.#directory)
    await appendLine(path, line)
  }

  /** The messages of a session, and the lines that are damaged. Throws `NOT_FOUND` when there is no such session. */
  async read(session: string | Session): Promise<SessionContent> {
    const path = this.#path(session)
    const text = await readTextIfPresent(path)
    if (text === undefined) throw workspaceError('NOT_FOUND', `There is no session ${path}.`, { details: { path } })
    const messages: SessionMessage[] = []
    const problems: SessionProblem[] = []
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue
      const parsed = parseLine(line)
      if (typeof parsed === 'string') problems.push({ line: index + 1, message: parsed, text: line })
      else messages.push(parsed)
    }
    return { messages, problems }
  }

  /** All sessions by id. */
  async list(): Promise<SessionEntry[]> {
    const names = (await ifPresent(this.#directory, readdir(this.#directory))) ?? []
    const entries = await Promise.all(names.filter((name) => name.endsWith(SUFFIX)).map((name) => this.#entry(name)))
    return entries.filter((entry) => entry !== undefined).sort((a, b) => compareCodePoints(a.id, b.id))
  }

  async #entry(name: string): Promise<SessionEntry | undefined> {
    const path = join(this.#directory, name)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    return { id: name.slice(0, -SUFFIX.length), path, bytes: found.size, updated_at: found.mtime.toISOString() }
  }

  #path(session: string | Session): string {
    const id = isRecord(session) ? session.id : session
    const names = dataPathNames(id as string)
    const [name] = dataPathNames(`${id}${SUFFIX}`)
    if (names.length !== 1) {
      throw workspaceError('PATH_REFUSED', `The session id ${JSON.stringify(id)} must not be a path.`, {
        details: { path: id, reason: 'path' },
      })
    }
    return join(this.#directory, name as string)
  }
}

guardMethods(SessionStore)

function parseLine(line: string): SessionMessage | string {
  try {
    const value = readExactly(line)
    if (value instanceof Unread) return `JavaScript cannot hold a value of the line: ${value.reason}.`
    return isRecord(value) ? value : 'The line is not an object.'
  } catch (error) {
    return `The line is not JSON: ${(error as Error).message}`
  }
}
