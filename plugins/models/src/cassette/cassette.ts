import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Mutex } from '@minions/core/coordination'
import { canonicalJson, getOrInsert, isRecord, type JsonValue } from '@minions/core/json'
import { guardMethods } from '@minions/core/plugin'
import { replaceFile } from '@minions/files'
import type { Redactor } from '../door/redactor.js'
import { modelsError } from '../errors.js'
import { nearestEntry } from './nearest.js'

export interface CassetteOptions {
  /** Path of the file. */
  readonly file: string
  /** `record` calls the model and keeps the answer, `replay` never calls it, `auto` records what the file lacks. */
  readonly mode: 'record' | 'replay' | 'auto'
}

/** A request with everything that determines its answer, and the answer. */
export interface CassetteEntry {
  readonly request: JsonValue
  readonly answer: JsonValue
}

interface CassetteFile {
  readonly version: 1
  readonly entries: readonly CassetteEntry[]
}

/**
 * Answers of models in a file. The same request made several times has its answers in order; the last one is repeated.
 * Headers are never part of it, and keys are redacted from every text.
 */
export class Cassette {
  readonly mode: CassetteOptions['mode']
  readonly #file: string
  readonly #redactor: Redactor
  readonly #entries: CassetteEntry[]
  readonly #byKey = new Map<string, CassetteEntry[]>()
  readonly #played = new Map<string, number>()
  readonly #writing = new Mutex()

  private constructor({ file, mode }: CassetteOptions, redactor: Redactor, entries: readonly CassetteEntry[]) {
    this.mode = mode
    this.#file = file
    this.#redactor = redactor
    this.#entries = [...entries]
    for (const entry of entries) this.#index(entry)
  }

  /** Opens a cassette. Recording begins an empty one. Throws `CASSETTE_INVALID`. */
  static async open(options: CassetteOptions, redactor: Redactor): Promise<Cassette> {
    const entries = options.mode === 'record' ? [] : await readEntries(options)
    return new Cassette(options, redactor, entries)
  }

  /** The recorded answer to a request; `undefined` where it may be recorded. Throws `CASSETTE_MISS`. */
  find(request: JsonValue): JsonValue | undefined {
    if (this.mode === 'record') return undefined
    const clean = this.#redactor.json(request)
    const key = keyOf(clean)
    const takes = this.#byKey.get(key) ?? []
    const played = this.#played.get(key) ?? 0
    const entry = this.mode === 'replay' ? (takes[played] ?? takes.at(-1)) : takes[played]
    this.#played.set(key, played + 1)
    if (entry) return entry.answer
    if (this.mode === 'auto') return undefined
    throw this.#miss(clean)
  }

  /** Adds an answer and writes the file atomically. */
  async record(request: JsonValue, answer: JsonValue): Promise<void> {
    const entry = this.#redactor.json({ request, answer })
    await this.#writing.run(async () => {
      this.#entries.push(entry)
      this.#index(entry)
      if (this.mode === 'record') this.#played.set(keyOf(entry.request), Number.POSITIVE_INFINITY)
      const content: CassetteFile = { version: 1, entries: this.#entries }
      await mkdir(dirname(this.#file), { recursive: true })
      await replaceFile(this.#file, `${JSON.stringify(content, null, 2)}\n`)
    })
  }

  #index(entry: CassetteEntry): void {
    getOrInsert(this.#byKey, keyOf(entry.request), () => []).push(entry)
  }

  #miss(request: JsonValue): Error {
    const recorded = this.#entries.map((entry) => entry.request)
    const nearest = nearestEntry(request, recorded)
    const hint = nearest
      ? `The most similar one is number ${nearest.number}, which differs at ${nearest.pointer || 'its beginning'}: recorded ${nearest.recorded}, asked ${nearest.asked}`
      : 'It is empty'
    const message = `The cassette ${this.#file} has no answer to this request. ${hint}. Record it again, or open it as "auto".`
    return modelsError('CASSETTE_MISS', message, { details: { file: this.#file, ...(nearest && { nearest }) } })
  }
}

guardMethods(Cassette)

function keyOf(request: JsonValue): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex')
}

async function readEntries({ file, mode }: CassetteOptions): Promise<readonly CassetteEntry[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    if (mode === 'auto' && (cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw modelsError('CASSETTE_INVALID', `The cassette ${file} cannot be read: ${(cause as Error).message}.`)
  }
  try {
    const content: unknown = JSON.parse(text)
    if (
      isRecord(content) &&
      content.version === 1 &&
      Array.isArray(content.entries) &&
      content.entries.every(isEntry)
    ) {
      return content.entries
    }
  } catch {
    // Said below, as for everything else that is not a cassette.
  }
  throw modelsError('CASSETTE_INVALID', `The file ${file} is not a cassette of version 1; record it again.`)
}

function isEntry(value: unknown): value is CassetteEntry {
  return isRecord(value) && isRecord(value.request) && isRecord(value.answer)
}
