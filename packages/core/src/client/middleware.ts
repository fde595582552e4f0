import { coreError } from '../errors/codes.js'
import { MinionSchema } from '../schemas/minion.js'
import { ownSchema } from '../validation/own-schema.js'
import { OPERATIONS, type OperationName } from './door.js'

/** A call as middleware sees it. */
export interface Operation {
  readonly name: OperationName
  readonly args: readonly unknown[]
}

/**
 * Wraps operations, first in the list outermost. `next()` continues with the same arguments, `next(args)` with others,
 * which are validated as usual; if it is not called, nothing happens. The returned value is the result, which only
 * `get` and `getRecord` may omit; to refuse an operation, throw.
 */
export type Middleware = (operation: Operation, next: (args?: readonly unknown[]) => Promise<unknown>) => unknown

const MAY_HAVE_NO_RESULT: ReadonlySet<OperationName> = new Set(['get', 'getRecord'])

/** Runs an operation through middleware. A result replaced by middleware must consist of well-formed minions. */
export async function runThrough<T>(
  middleware: readonly Middleware[],
  { name, args }: Operation,
  run: (args: readonly unknown[]) => Promise<T>,
): Promise<T> {
  let original: unknown
  const step = async (index: number, args: readonly unknown[]): Promise<unknown> => {
    const current = middleware[index]
    if (current === undefined) {
      original = await run(args)
      return original
    }
    let inner: Promise<unknown> | undefined
    const result = await current({ name, args }, (replaced = args) => {
      inner = step(index + 1, replaced)
      return inner
    })
    if (result !== undefined || MAY_HAVE_NO_RESULT.has(name)) return result
    // Middleware that drops the result may drop an error too.
    await inner
    throw noResult(name, current.name, index, inner !== undefined)
  }
  const result = await step(0, args)
  if (result !== original) checkReplaced(name, result)
  return result as T
}

function noResult(operation: OperationName, middleware: string, index: number, calledNext: boolean): Error {
  const who = middleware === '' ? `middleware[${index}]` : `The middleware "${middleware}" (middleware[${index}])`
  const what = calledNext ? 'did not return the result of `next()`' : 'never called `next`'
  return coreError(
    'VALIDATION_FAILED',
    `${who} left "${operation}" without a result: it ${what}. Let it return \`next()\` or a result of its own, or throw ` +
      'to refuse the operation.',
    { details: { operation, index, ...(middleware !== '' && { middleware }) } },
  )
}

const minionSchema = ownSchema(MinionSchema)

function checkReplaced(name: OperationName, result: unknown): void {
  const { check } = minionSchema()
  for (const minion of minionsOf(name, result)) {
    if (check(minion)) continue
    const message = `Middleware replaced the result of "${name}" with something that is not a minion.`
    throw coreError('VALIDATION_FAILED', message, { details: { operation: name } })
  }
}

function minionsOf(name: OperationName, result: unknown): readonly unknown[] {
  if (result === undefined && MAY_HAVE_NO_RESULT.has(name)) return []
  switch (OPERATIONS[name].gives) {
    case 'minion':
      return [result]
    case 'record':
      return [(result as { minion?: unknown } | null)?.minion]
    case 'page':
      return listOf((result as { items?: unknown } | null)?.items)
    case 'minions':
      return listOf(result)
    default:
      return []
  }
}

/** Anything that is not a list counts as a list with one invalid element. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
