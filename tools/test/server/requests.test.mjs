// @ts-check
// Ten thousand requests that fit and that do not: every answer is one that the OpenAPI document knows, and none is a 500.
import { operationsOf, runOperation } from '@minions/core/operations'
import { createHandler, openApiDocument } from '@minions/server'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withEveryPlugin } from '../../operations/app.mjs'
import { AnswerJudge } from './answers.mjs'
import { valid, wrong } from './arbitrary.mjs'

const REQUESTS = 10_000

/** What takes far longer than the rest is asked less often. */
const SLOW = new Set(['missions.run', 'missions.resume', 'missions.start', 'missions.replay', 'skills.run'])

it('every answer is as the document says, whatever is sent', { timeout: 1_800_000 }, async () => {
  await withEveryPlugin(async (every) => {
    // The list of plugins is made at run time, so that its type does not say which there are.
    const app = /** @type {import('@minions/server').ServedApp} */ (/** @type {unknown} */ (every))
    const handler = createHandler(app, { withoutKey: true, runAfter: 1000 })
    const judge = new AnswerJudge(JSON.parse(JSON.stringify(openApiDocument(app))))
    const operations = [...operationsOf(app).values()].map(({ value }) => value)
    for (const operation of operations) {
      // What examples work on, so that requests find something.
      for (const { given = [], by, tenant } of operation.examples ?? []) {
        for (const [name, input, other = by] of given)
          await runOperation(app, name, input, { by: other, tenant }).catch(() => undefined)
      }
    }
    const weighted = operations.map((value) => ({
      arbitrary: fc.constant(value),
      weight: SLOW.has(value.name) ? 1 : 10,
    }))
    const request = fc.oneof(...weighted).chain((operation) =>
      fc.record({
        operation: fc.constant(operation),
        input: fc.boolean().chain((fits) => (fits ? valid(operation.input) : wrong(operation.input))),
        how: fc.constantFrom('post', 'post', 'post', 'get', 'raw', 'async'),
        tenant: fc.constantFrom('acme', 'tenant_abc', undefined),
      }),
    )
    /** @type {Map<number, number>} */
    const statuses = new Map()
    /** @type {string[]} */
    const problems = []
    const base = 'http://localhost'
    for (const { operation, input, how, tenant } of fc.sample(request, { numRuns: REQUESTS, seed: 22 })) {
      const path = `/api/operations/${operation.name}`
      const headers = { 'content-type': 'application/json', ...(tenant && { 'minions-tenant': tenant }) }
      const isGet = how === 'get' && operation.access === 'read'
      const url = isGet ? `${base}${path}?${queryOf(input)}` : `${base}${path}`
      const body = how === 'raw' ? JSON.stringify(input)?.slice(0, -1) : JSON.stringify(input ?? {})
      const sent = isGet
        ? new Request(url, { headers })
        : new Request(url, {
            method: 'POST',
            body: body ?? '',
            headers: { ...headers, ...(how === 'async' && { prefer: 'respond-async' }) },
          })
      const answer = await handler(sent, { remoteAddress: '127.0.0.1' })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const problem = await judge.problem(path, sent.method, answer)
      if (problem !== undefined) problems.push(`${operation.name} ${JSON.stringify(input)?.slice(0, 300)}: ${problem}`)
    }
    expect(problems.slice(0, 10)).toEqual([])
    // Requests that succeed, that are refused, and that find nothing are all among them; how many become runs is a matter of time.
    for (const [status, least] of [
      [200, 1000],
      [400, 100],
      [404, 100],
      [422, 1000],
    ]) {
      expect(statuses.get(status ?? 0) ?? 0, String(status)).toBeGreaterThan(least ?? 0)
    }
    await app.server.runs.settle(60_000)
  })
})

it('the judge notices an answer that the document does not know', async () => {
  const document = {
    paths: {
      '/a': {
        get: {
          responses: { 200: { content: { 'application/json': { schema: { type: 'object', required: ['b'] } } } } },
        },
      },
    },
  }
  const judge = new AnswerJudge(document)
  expect(await judge.problem('/a', 'GET', Response.json({ b: 1 }))).toBeUndefined()
  expect(await judge.problem('/a', 'GET', Response.json({}))).toContain('required')
  expect(await judge.problem('/a', 'GET', Response.json({ b: 1 }, { status: 404 }))).toContain('404')
  expect(await judge.problem('/a', 'GET', Response.json({ b: 1 }, { status: 503 }))).toContain('503')
  expect(
    await judge.problem('/a', 'GET', new Response('{"b":1}', { headers: { 'content-type': 'text/html' } })),
  ).toContain('html')
})

/** @param {unknown} input */
function queryOf(input) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(input))) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(name, typeof one === 'string' ? one : (JSON.stringify(one) ?? ''))
    }
  }
  return query
}
