import { isRecord, type JsonObject, jsonEqual } from '@minions/core/json'
import { guarded, takeList, takeOptions } from '@minions/core/plugin'
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { mcpError } from '../errors.js'
import { AGENTS, type AgentName, type Environment } from './agents.js'

/** The command that an agent starts. */
export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface InstallRequest {
  readonly agent: string
  /** `user` for everything that the agent does, `project` for one folder. */
  readonly scope: 'user' | 'project'
  /** Name of the server in the configuration of the agent. */
  readonly name: string
  readonly entry: ServerEntry
  readonly environment: Environment
}

/** A change to the configuration of an agent. */
export interface InstallPlan {
  readonly title: string
  readonly file: string
  /** True if an existing entry of this name is replaced. */
  readonly replaces: boolean
  /** The whole configuration afterwards; the same as before if nothing changes. */
  readonly text: string
}

/** The file that an agent reads. Throws `NOT_FOUND` and `VALIDATION_FAILED`. */
export const configurationFile = guarded(
  'configurationFile',
  ({ agent, scope, environment }: Pick<InstallRequest, 'agent' | 'scope' | 'environment'>): string => {
    const { title, files } = agentNamed(agent)
    requireTexts({ home: environment.home, project: environment.project })
    const { [scope]: file } = files(environment) as { user: string; project?: string }
    if (file !== undefined) return file
    throw mcpError('VALIDATION_FAILED', `${title} has no project configuration; omit --project.`)
  },
)

/**
 * Plans the change to the configuration of an agent. Everything else in it is kept, including comments.
 * `before` is the text of its file, if there is one. Throws `NOT_FOUND` and `VALIDATION_FAILED`.
 */
export const planInstall = guarded('planInstall', planInstallUnchecked, { checksInside: true })

function planInstallUnchecked(request: InstallRequest, before: string | undefined): InstallPlan {
  const { title, key, extra = {} } = agentNamed(request.agent) as (typeof AGENTS)['vscode']
  const file = configurationFile(request)
  const text = before === undefined || before.trim() === '' ? '{}\n' : before
  const configuration = read(text, file)
  const servers = configuration[key] ?? {}
  if (!isRecord(servers)) throw mcpError('VALIDATION_FAILED', `"${key}" in ${file} is not an object; fix it first.`)
  const { command, args, env } = takeOptions('The entry', request.entry)
  requireTexts({ name: request.name, command, ...env })
  for (const argument of takeList('The arguments of the command', args)) requireTexts({ argument })
  const entry = { ...extra, command, args: [...args], ...(env && { env: { ...env } }) }
  const known = servers[request.name]
  const plan = { title, file, replaces: known !== undefined }
  if (isRecord(known) && jsonEqual(known as JsonObject, entry)) return { ...plan, text }
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text), eol: '\n' }
  const edits = modify(text, [key, request.name], entry, { formattingOptions })
  return { ...plan, text: applyEdits(text, edits) }
}

/** Longer than any path or setting; what handles texts of any length takes too long with some. */
const LONGEST_TEXT = 100_000

function requireTexts(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && value.length <= LONGEST_TEXT) continue
    throw mcpError('VALIDATION_FAILED', `\`${name}\` must be a string of at most ${LONGEST_TEXT} characters.`)
  }
}

function agentNamed(name: string) {
  if (Object.hasOwn(AGENTS, name)) return AGENTS[name as AgentName]
  const list = Object.keys(AGENTS).join(', ')
  throw mcpError('NOT_FOUND', `There is no agent "${name.slice(0, 100)}" here; choose from ${list}.`)
}

function read(text: string, file: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length
    throw mcpError(
      'VALIDATION_FAILED',
      `${file} is not JSON: ${printParseErrorCode(first.error)} in line ${line}; fix it first.`,
    )
  }
  if (isRecord(value)) return value
  throw mcpError('VALIDATION_FAILED', `${file} does not contain an object; fix it first.`)
}

/** Spaces by which the file indents; two if it does not. */
function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2
}
