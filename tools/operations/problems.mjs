// @ts-check
import { operationsOf, runExample } from '@minions/core'

/** @import { MinionsAccess, Operation } from '@minions/core' */
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
    }
  }
  return { count: operations.length, problems }
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
