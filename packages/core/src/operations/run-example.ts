import type { MinionsAccess } from '../client/minions-access.js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { isMinionsError } from '../errors/minions-error.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { JsonValue } from '../json/json-value.js'
import type { Operation, OperationExample } from './operation.js'
import { runOperation } from './run-operation.js'

/**
 * Runs an example of an operation, after the calls in its `given`, and resolves to its result. An example of a refused
 * call resolves to null. Throws what the calls throw, and `OUTPUT_INVALID` when nothing was refused.
 */
export const runExample = guarded('runExample', runExampleUnchecked, { callsBack: 'hooks' })

async function runExampleUnchecked(
  app: MinionsAccess,
  operation: Pick<Operation, 'name'>,
  example: OperationExample,
): Promise<JsonValue> {
  const { name } = takeOptions('The operation', operation)
  const { title, input, given = [], by, tenant, fails } = takeOptions('The example', example)
  const calls = takeList('`given` of an example', given).map((call) => takeList('A call that an example needs', call))
  for (const [called, preparation, other] of calls) {
    await runOperation(app, called as string, preparation, { by: other === undefined ? by : (other as string), tenant })
  }
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
