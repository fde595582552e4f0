import { isRecord, type JsonObject, jsonProblem } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type DatasetRow, invalid, MAX_ROW, piecesOf, type TextSource } from './dataset-row.js'

/**
 * Reads JSONL, one object per line, skipping blank lines. Throws `DATASET_INVALID` with the line. Holds one line in
 * memory at a time.
 */
export const readJsonl = guarded('readJsonl', readJsonlUnchecked, { callsBack: true })

async function* readJsonlUnchecked(source: TextSource): AsyncGenerator<DatasetRow> {
  let line = 0
  for await (const text of linesOf(source)) {
    line += 1
    if (text.trim() !== '') yield { line, values: parsed(text, line) }
  }
}

async function* linesOf(source: TextSource): AsyncGenerator<string> {
  let rest = ''
  for await (const added of piecesOf(source)) {
    // Splitting what has no end of a line would take ever longer as pieces come.
    const lines = added.includes('\n') ? (rest + added).split('\n') : [rest + added]
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_ROW) break
  }
  yield rest
}

function parsed(text: string, line: number): JsonObject {
  if (text.length > MAX_ROW) throw invalid(line, `it is longer than ${MAX_ROW} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw invalid(line, `it is not JSON: ${(cause as Error).message}`, cause)
  }
  if (!isRecord(value)) throw invalid(line, 'it is not a JSON object')
  const problem = jsonProblem(value)
  if (problem !== undefined) throw invalid(line, 'it contains a value that cannot be stored')
  return value as JsonObject
}
