import { pointerTo } from '@minions/core/json'
import { issuesBelow } from '@minions/core/schema'
import { prompts } from '@minions/prompts'
import { withApp } from '../app/app.js'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { parseDocuments, readSource } from '../input/content.js'
import { oneLine, print } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import type { FindType } from '../validation/check-minions.js'
import { KINDS, type KindName, kindOf, type Surroundings } from '../validation/kinds.js'
import { type DocumentProblem, problemsOf } from '../validation/problem.js'

const NAMES = Object.keys(KINDS) as KindName[]

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'validate')
    .examples('validate backup.jsonl', 'validate envelope.json --json', 'validate book.type.json --kind type')
    .worksWithoutStore()
    .argument('<file>', 'JSON: a document, a list, or one per line; - for standard input')
    .choice('--kind <kind>', NAMES, 'what it should be (default: inferred from its content)')
    .action(async (file, { kind }) => {
      const text = await readSource(cli, file)
      const { documents, errors } = await check(cli, text, file, kind).catch(unreadable)
      const kinds = [...new Set(documents.map(({ name }) => name))]
      const valid = errors.length === 0
      print(cli, { valid, kinds, errors }, () => (valid ? praise(file, documents) : errors.map(lineOf).join('\n')))
      if (!valid) cli.exitCode = 1
    })
}

interface Findings {
  readonly documents: readonly Document[]
  readonly errors: readonly DocumentProblem[]
}

async function check(cli: Cli, text: string, file: string, kind: KindName | undefined): Promise<Findings> {
  const documents = split(text, file, kind)
  const around = surroundings(cli)
  const errors: DocumentProblem[] = []
  for (const { name, value, pointer } of documents) {
    const found = await KINDS[name].check(value, around)
    errors.push(...issuesBelow(pointer, found))
  }
  return { documents, errors }
}

/** Invalid JSON is a finding like any other. */
function unreadable(error: unknown): Findings {
  if (!cliError.is(error, 'INVALID_JSON')) throw error
  return { documents: [], errors: problemsOf(error) }
}

interface Document {
  readonly name: KindName
  readonly value: unknown
  /** Its location in the file. */
  readonly pointer: string
}

/** The documents in a file: a bundle or a mission is one, however many lines it has. */
function split(text: string, file: string, kind: KindName | undefined): Document[] {
  if (kind === 'bundle' || (kind === undefined && isBundle(text))) return [{ name: 'bundle', value: text, pointer: '' }]
  const values = parseDocuments(text, file)
  const names = values.map((value) => kind ?? kindOf(value))
  if (names.length > 1 && names.every((name) => name === 'artifact')) {
    return [{ name: 'artifact', value: values, pointer: '' }]
  }
  return values.map((value, index) => {
    const name = names[index]
    const pointer = values.length === 1 && !text.trimStart().startsWith('[') ? '' : pointerTo('', index)
    if (name === undefined) throw unknownKind(file, pointer)
    return { name, value, pointer }
  })
}

/** The first line says so; the others need not be JSON. */
function isBundle(text: string): boolean {
  try {
    return kindOf(JSON.parse(text.slice(0, text.indexOf('\n') + 1) || text)) === 'bundle'
  } catch {
    return false
  }
}

function surroundings(cli: Cli): Surroundings {
  let types: Promise<FindType> | undefined
  return {
    home: homeOf(cli).value,
    types() {
      types ??= withApp(cli, [prompts()], async (app) => {
        const known = new Map(app.types.list().map((type) => [type.id, type]))
        return (id) => known.get(id)
      })
      return types
    },
  }
}

function praise(file: string, documents: readonly Document[]): string {
  const [first, ...more] = documents
  if (first && more.length === 0) return `${file} is valid: ${KINDS[first.name].title}.`
  return `All ${documents.length} documents of ${file} are valid.`
}

function lineOf({ line, pointer, code, message }: DocumentProblem): string {
  return oneLine(`${line === undefined ? '' : `line ${line} `}${pointer || '/'} ${code}: ${message}`)
}

function unknownKind(file: string, pointer: string): Error {
  const what = pointer === '' ? file : `${pointer} of ${file}`
  return cliError(
    'UNKNOWN_DOCUMENT',
    `${what} is not a known document; name its kind with --kind: ${NAMES.join(', ')}.`,
  )
}
