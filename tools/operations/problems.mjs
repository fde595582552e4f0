// @ts-check
import { operationsOf, runExample, runOperation } from '@minions/core/operations'

/** @import { MinionsAccess } from '@minions/core' */
/** @import { Operation, OperationExample } from '@minions/core/operations' */
/** @typedef {<T>(work: (app: MinionsAccess) => Promise<T>) => Promise<T>} WithApp runs work with an empty app */

/**
 * What is missing from the descriptions of the operations of an app, and examples that do not run. Each example runs in an
 * empty app of its own.
 *
 * @param {WithApp} withApp
 * @returns {Promise<{ count: number, problems: string[] }>}
 */
export async function operationProblems(withApp) {
  const operations = await withApp(async (app) => [...operationsOf(app).values()].map(({ value }) => value))
  const problems = operations.flatMap(descriptionProblems)
  for (const operation of operations) {
    for (const example of operation.examples ?? []) {
      await withApp((app) => runExample(app, operation, example)).catch((error) =>
        problems.push(`${operation.name}: the example "${example.title}" does not run: ${error.message}`),
      )
      if (!operation.atomic) continue
      const problem = await withApp((app) => atomicProblem(app, operation, example))
      if (problem !== undefined) problems.push(`${operation.name} is not atomic: ${problem}`)
    }
  }
  return { count: operations.length, problems }
}

/**
 * Runs an example inside a transaction that is rolled back, and says what is wrong with that.
 *
 * @param {MinionsAccess} app
 * @param {Operation} operation
 * @param {OperationExample} example
 */
async function atomicProblem(app, operation, { given = [], ...example }) {
  const { by, tenant } = example
  for (const [name, input, other = by] of given) await runOperation(app, name, input, { by: other, tenant })
  const before = await everything(app)
  const rollback = new Error('rolled back')
  /** @type {unknown} */
  const error = await app
    .transaction(async (tx) => {
      await runExample(tx, operation, example)
      throw rollback
    })
    .catch((thrown) => thrown)
  if (error !== rollback) return `it does not run in a transaction: ${/** @type {Error} */ (error).message}`
  return (await everything(app)) === before ? undefined : 'something is left of it after a rollback'
}

/** @param {MinionsAccess} app */
async function everything(app) {
  let lines = ''
  for await (const line of app.exportBundle({ all: true })) lines += line
  return lines
}

/** @param {Operation} operation @returns {string[]} */
function descriptionProblems({ name, summary, input, examples = [] }) {
  const problems = []
  if (summary.endsWith('.') || summary.length > 100) {
    problems.push(`${name}: the summary is one line of at most 100 characters without a full stop`)
  }
  if (examples.length === 0) problems.push(`${name}: there is no example`)
  const { properties = {} } = /** @type {{ properties?: Record<string, Record<string, unknown>> }} */ (input)
  for (const [property, { description, examples: values }] of Object.entries(properties)) {
    if (typeof description !== 'string' || description === '') problems.push(`${name}: ${property} has no description`)
    if (!Array.isArray(values) || values.length === 0) problems.push(`${name}: ${property} has no example`)
  }
  return problems
}
