// @ts-check
import { operationsOf, runOperation } from '@minions/core/operations'
import { createHandler } from '@minions/server'

/** @import { ServedApp } from '@minions/server' */
/** @typedef {{ path: string, status: number, type: string, body: unknown }} RealAnswer */
/** @typedef {<T>(work: (app: ServedApp) => Promise<T>) => Promise<T>} WithApp runs work with an empty app */

/**
 * The answers that a server gives to the examples of all operations, each in an empty app of its own.
 *
 * @param {WithApp} withApp
 * @returns {Promise<RealAnswer[]>}
 */
export async function realAnswers(withApp) {
  const operations = await withApp(async (app) => [...operationsOf(app).values()].map(({ value }) => value))
  /** @type {RealAnswer[]} */
  const answers = []
  for (const { name, examples = [] } of operations) {
    for (const { given = [], by, tenant, input } of examples) {
      const path = `/api/operations/${name}`
      const answer = await withApp(async (app) => {
        for (const [before, value, other = by] of given) await runOperation(app, before, value, { by: other, tenant })
        const request = new Request(`http://localhost${path}`, {
          method: 'POST',
          body: JSON.stringify(input),
          headers: { 'content-type': 'application/json', ...(tenant !== undefined && { 'minions-tenant': tenant }) },
        })
        const response = await createHandler(app, { withoutKey: true })(request, { remoteAddress: '127.0.0.1' })
        const type = response.headers.get('content-type')?.split(';')[0] ?? ''
        return { path, status: response.status, type, body: await response.json() }
      })
      answers.push(answer)
    }
  }
  return answers
}

/**
 * A TypeScript program that compiles if answers have the types that `openapi-typescript` made of the document. What is open
 * in a schema may have more than its type, so the values are not literals where they are assigned.
 *
 * @param {readonly RealAnswer[]} answers
 */
export function typedAnswers(answers) {
  const lines = answers.flatMap(({ path, status, type, body }, index) => [
    `const value${index} = ${JSON.stringify(body)} as const`,
    `export const answer${index}: paths[${JSON.stringify(path)}]['post']['responses'][${statusKey(status)}]['content'][${JSON.stringify(type)}] = value${index}`,
  ])
  return ["import type { paths } from './types.js'", ...lines, ''].join('\n')
}

/** @param {number} status */
const statusKey = (status) => (status < 400 ? String(status) : `'${Math.floor(status / 100)}XX'`)
