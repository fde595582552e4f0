import { type By, coreError, type MinionsAccess } from '@minions/core'
import { takeFunction } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { loadLivePrompt, loadMinions } from '../chain/prompt-minion.js'
import { compileTemplate } from '../template/compiled-template.js'
import { addTests } from '../testing/add-tests.js'
import { contentHash } from '../testing/content-hash.js'
import type { TestInput } from '../testing/test-input.js'
import { promptTestType } from '../types/prompt-test.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import type { TextSource } from './dataset-row.js'
import { readCsv } from './read-csv.js'
import { readJsonl } from './read-jsonl.js'
import { checkColumns, testOfCsv, testOfJson } from './row-test.js'

export const DATASET_FORMATS = ['csv', 'jsonl'] as const

export type DatasetFormat = (typeof DATASET_FORMATS)[number]

/** Number of tests written per batch. */
const BATCH = 500

export interface ImportTestsOptions extends By {
  readonly onProgress?: ((done: number) => void) | undefined
}

/**
 * Adds the tests of a data set to a prompt, and resolves to their number. The source is a function because it is read
 * twice, as a stream, so that memory does not grow with it: first everything is checked, and nothing is written if a
 * row cannot be used; then it is written in batches. The same row on the same line is added once, so an interrupted
 * import continues when run again.
 */
export async function importTests(
  access: PromptAccess,
  promptId: string,
  format: DatasetFormat,
  source: () => TextSource,
  { onProgress, ...by }: ImportTestsOptions,
): Promise<number> {
  takeFunction('The source of an import', source)
  takeFunction('`onProgress` of an import', onProgress)
  if (source === undefined) throw coreError('VALIDATION_FAILED', 'An import needs a function that returns its source.')
  const prompt = await loadLivePrompt(access, promptId)
  const owner = { id: await access.lookup.rootId(prompt), title: prompt.title }
  const ready = await readyPrompt(access, prompt)
  for await (const _ of testsIn(format, source(), ready)) {
    // Validation only.
  }
  let done = 0
  let batch: TestInput[] = []
  const flush = async () => {
    await access.client.transaction(async (tx) => addTests(tx, owner, await missingIn(tx, batch), by))
    done += batch.length
    batch = []
    onProgress?.(done)
  }
  for await (const { line, test } of testsIn(format, source(), ready)) {
    batch.push({ ...test, id: await idOf(owner.id, line, test) })
    if (batch.length >= BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return done
}

/** Sorts like the lines: rows written in the same millisecond are listed by id. */
async function idOf(promptId: string, line: number, test: TestInput): Promise<string> {
  const hash = (await contentHash(JSON.stringify([promptId, line, test]))).slice(0, 32)
  return `row-${String(line).padStart(9, '0')}-${hash}`
}

/** The tests that do not exist yet. */
async function missingIn(tx: MinionsAccess, tests: readonly TestInput[]): Promise<TestInput[]> {
  const ids = tests.flatMap(({ id }) => id ?? [])
  const known = new Set((await loadMinions(tx, ids, [promptTestType])).map(({ id }) => id))
  return tests.filter(({ id }) => !known.has(id ?? ''))
}

async function* testsIn(
  format: DatasetFormat,
  source: TextSource,
  ready: ReadyPrompt,
): AsyncGenerator<{ readonly line: number; readonly test: TestInput }> {
  const { declared } = ready
  const needed = neededBy(ready)
  if (format === 'jsonl') {
    for await (const row of readJsonl(source)) yield { line: row.line, test: testOfJson(row, declared, needed) }
    return
  }
  let checked: readonly string[] | undefined
  for await (const row of readCsv(source)) {
    if (row.columns !== checked) checkColumns(row.columns, needed)
    checked = row.columns
    yield { line: row.line, test: testOfCsv(row, declared) }
  }
}

/** The variables that rendering always requires. */
function neededBy({ version, declared }: ReadyPrompt): string[] {
  const hasDefault = (name: string) =>
    declared.some(({ title, fields }) => title === name && !fields.required && fields.defaultValue !== undefined)
  const required = declared.filter(({ fields }) => fields.required).map(({ title }) => title)
  const placeholders = compileTemplate<string>(version.fields.content).nodes.flatMap((node) =>
    node.type === 'placeholder' && node.reference.kind === 'name' ? [node.reference.name] : [],
  )
  return [...new Set([...required, ...placeholders])].filter((name) => !hasDefault(name))
}
