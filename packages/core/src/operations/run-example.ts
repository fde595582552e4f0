import type { MinionsAccess } from '../client/minions-access.js'
import { coreError } from '../errors/codes.js'
import { isMinionsError } from '../errors/minions-error.js'
import type { JsonValue } from '../json/json-value.js'
import type { Operation, OperationExample } from './operation.js'
import { runOperation } from './run-operation.js'

/**
 * Runs an example of an operation, after the calls in its `given`, and resolves to its result. An example of what is
 * refused resolves to null. Throws what the calls throw, and `OUTPUT_INVALID` when nothing was refused.
 */
export async function runExample(
  app: MinionsAccess,
  { name }: Pick<Operation, 'name'>,
  { title, input, given = [], by, tenant, fails }: OperationExample,
): Promise<JsonValue> {
  for (const [operation, preparation] of given) await runOperation(app, operation, preparation, { by, tenant })
  const running = runOperation(app, name, input, { by, tenant })
  if (fails === undefined) return running
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (isMinionsError(error, fails)) return null
  if (error !== undefined) throw error
  throw coreError('OUTPUT_INVALID', `The example "${title}" of "${name}" should be refused with ${fails}.`)
}
