import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { isRecord } from '@minions/core/json'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'

/** An argument that may be `@file`, `-` for standard input, or the text itself (a leading `@@` is a literal `@`). */
export async function readContent(cli: Cli, argument: string): Promise<string> {
  if (argument === '-') return readStream(cli.stdin)
  if (argument.startsWith('@@')) return argument.slice(1)
  return argument.startsWith('@') ? readText(cli, argument.slice(1)) : argument
}

/** A file by its path, or standard input as `-`. */
export async function readSource(cli: Cli, path: string): Promise<string> {
  return path === '-' ? readStream(cli.stdin) : readText(cli, path.replace(/^@/, ''))
}

/** JSON in the form that `readContent` takes. `what` names the argument in errors. */
export async function readJson(cli: Cli, argument: string, what: string): Promise<unknown> {
  return parseJson(await readContent(cli, argument), what)
}

/** A JSON object in the form that `readContent` takes. */
export async function readObject(cli: Cli, argument: string, what: string): Promise<Record<string, unknown>> {
  const value = await readJson(cli, argument, what)
  if (isRecord(value)) return value
  throw cliError('VALIDATION_FAILED', `${what} must be a JSON object, such as '{"name":"Ada"}'.`)
}

/** Throws `INVALID_JSON`, saying what was wrong and where. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw cliError('INVALID_JSON', `${what} is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

/** One JSON document, a list of them, or one per line. */
export function parseDocuments(text: string, file: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isLines =
    lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{') && line.trimEnd().endsWith('}'))
  if (isLines) return lines.map((line, index) => parseJson(line, `${file}, line ${index + 1},`))
  const value = parseJson(text, file)
  return Array.isArray(value) ? value : [value]
}

async function readText(cli: Cli, path: string): Promise<string> {
  const file = resolve(cli.cwd, path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file))
  } catch (cause) {
    throw cliError('FILE_UNREADABLE', `${path} cannot be read: ${(cause as Error).message}.`, {
      details: { path: file },
      cause,
    })
  }
}
