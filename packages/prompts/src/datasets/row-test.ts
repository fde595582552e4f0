import { isRecord, type JsonObject, type JsonValue, setOwn } from '@minions/core/json'
import { promptsError } from '../errors.js'
import { type Assertions, AssertionsSchema, checkAssertions } from '../scoring/assertions.js'
import type { TestInput } from '../testing/test-input.js'
import type { PromptVariableMinion } from '../variables/variable-value.js'
import { fitsVariable } from '../variables/variable-value.js'
import { type DatasetRow, invalid } from './dataset-row.js'

/** Columns with this prefix describe the test; all others are variables. */
const PREFIX = 'test.'
const LISTS = ['contains', 'notContains', 'matches']
const NUMBERS = ['minLength', 'maxLength']
const ASSERTIONS = Object.keys(AssertionsSchema.properties)
const KNOWN = ['title', 'criteria', 'golden', 'dimensions', ...ASSERTIONS]

/**
 * The test described by a CSV row. Columns are variables, parsed as JSON unless declared as strings; an empty cell
 * means no value. `test.title`, `test.criteria`, `test.golden`, `test.dimensions` and the assertions, such as
 * `test.contains`, describe the test. Lists are JSON, or a single string.
 */
export function testOfCsv({ line, values }: DatasetRow, declared: readonly PromptVariableMinion[]): TestInput {
  const inputVariables: JsonObject = {}
  const test: Record<string, JsonValue> = {}
  for (const [name, cell] of Object.entries(values as Record<string, string>)) {
    if (cell === '') continue
    if (name.startsWith(PREFIX)) setOwn(test, name.slice(PREFIX.length), toTestValue(name, cell, line))
    else setOwn(inputVariables, name, toVariable(name, cell, line, declared))
  }
  const { title, criteria: expectedCriteria, golden, dimensions: scoringDimensions, ...assertions } = test
  return toInput({ inputVariables, title, expectedCriteria, golden, scoringDimensions, assertions }, line)
}

/**
 * The test described by a JSONL line: in the form `tests.create` takes, or only the variables. Throws unless it
 * provides every variable that rendering needs.
 */
export function testOfJson(
  { line, values }: DatasetRow,
  declared: readonly PromptVariableMinion[],
  needed: readonly string[],
): TestInput {
  const input = toInput(Object.hasOwn(values, 'inputVariables') ? values : { inputVariables: values }, line)
  const missing = needed.filter((name) => !Object.hasOwn(input.inputVariables, name))
  if (missing.length > 0) throw invalid(line, `it has no value for ${missing.map((name) => `"${name}"`).join(', ')}`)
  for (const [name, value] of Object.entries(input.inputVariables)) checkType(name, value, line, declared)
  return input
}

/** Throws unless there is a column for every variable that rendering needs. */
export function checkColumns(columns: readonly string[], needed: readonly string[]): void {
  const wrong = columns.find((name) => name.startsWith(PREFIX) && !KNOWN.includes(name.slice(PREFIX.length)))
  if (wrong !== undefined) {
    throw invalid(1, `"${wrong}" is not a test column; use ${KNOWN.map((name) => PREFIX + name).join(', ')}`)
  }
  const missing = needed.filter((name) => !columns.includes(name))
  if (missing.length === 0) return
  const names = missing.map((name) => `"${name}"`).join(', ')
  throw promptsError(
    'DATASET_INVALID',
    `The data set lacks ${missing.length === 1 ? 'the column' : 'the columns'} ${names}, which the prompt needs; it has ${columns.join(', ')}.`,
    { details: { line: 1, missing, columns: [...columns] } },
  )
}

function toInput(
  {
    inputVariables,
    title,
    expectedCriteria,
    golden,
    scoringDimensions,
    assertions = {},
    ...rest
  }: Readonly<Record<string, JsonValue | undefined>>,
  line: number,
): TestInput {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(line, `"${unknown}" is not a property of a test`)
  if (!isRecord(inputVariables)) throw invalid(line, '"inputVariables" is not an object')
  if (!isRecord(assertions)) throw invalid(line, '"assertions" is not an object')
  if (!isText(title)) throw invalid(line, '"title" is not a string')
  if (!isText(expectedCriteria)) throw invalid(line, '"expectedCriteria" is not a string')
  if (scoringDimensions !== undefined && !Array.isArray(scoringDimensions))
    throw invalid(line, '"scoringDimensions" is not a list')
  try {
    checkAssertions(assertions)
  } catch (cause) {
    throw invalid(line, (cause as Error).message.replace(/\.$/, ''), cause)
  }
  if (golden !== undefined && typeof golden !== 'boolean') throw invalid(line, 'golden must be true or false')
  return {
    inputVariables: inputVariables as JsonObject,
    ...(title !== undefined && { title }),
    ...(expectedCriteria !== undefined && { expectedCriteria }),
    ...(golden !== undefined && { golden }),
    ...(scoringDimensions && { scoringDimensions: scoringDimensions.map(String) }),
    ...(Object.keys(assertions).length > 0 && { assertions: assertions as Assertions }),
  }
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

function toTestValue(column: string, cell: string, line: number): JsonValue {
  const name = column.slice(PREFIX.length)
  if (name === 'golden') return readJson(column, cell.toLowerCase(), line)
  if (NUMBERS.includes(name) || name === 'jsonSchema') return readJson(column, cell, line)
  if (name === 'dimensions')
    return cell.startsWith('[') ? readJson(column, cell, line) : cell.split(',').map((one) => one.trim())
  if (!LISTS.includes(name)) return cell
  return cell.startsWith('[') && name !== 'matches' ? readJson(column, cell, line) : [cell]
}

function toVariable(name: string, cell: string, line: number, declared: readonly PromptVariableMinion[]): JsonValue {
  const type = declared.find(({ title }) => title === name)?.fields.variableType ?? 'string'
  if (type === 'string') return cell
  const value = readJson(name, cell, line)
  checkType(name, value, line, declared)
  return value
}

/** Throws unless a value has the declared type of its variable; null counts as not given. */
function checkType(name: string, value: JsonValue, line: number, declared: readonly PromptVariableMinion[]): void {
  const type = declared.find(({ title }) => title === name)?.fields.variableType
  if (type !== undefined && value !== null && !fitsVariable(value, type))
    throw invalid(line, `"${name}" must be of type ${type}`)
}

function readJson(column: string, cell: string, line: number): JsonValue {
  try {
    return JSON.parse(cell) as JsonValue
  } catch (cause) {
    throw invalid(line, `"${column}" is not JSON: ${(cause as Error).message}`, cause)
  }
}
