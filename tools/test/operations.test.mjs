// @ts-check
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operationsPage } from '../operations/page.mjs'
import { operationProblems } from '../operations/problems.mjs'

const good = defineOperation({
  name: 'acme.greet',
  summary: 'Greet by name',
  access: 'read',
  input: Type.Object({ name: Type.String({ description: 'Who is greeted.', examples: ['Ada'] }) }),
  output: Type.String(),
  examples: [{ title: 'Greet Ada', input: { name: 'Ada' }, given: [['objects.count', {}]] }],
  run: ({ name }) => `Hello ${name}`,
})

/** @param {import('@minions/core/operations').Operation} operation @returns {import('../operations/problems.mjs').WithApp} */
const withOperation = (operation) => async (work) => {
  const plugin = definePlugin({
    ref: pluginRef()('@acme/greeter', 'greeter'),
    version: '1.0.0',
    contributes: [[operations, [operation]]],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [plugin] })
  return work(app).finally(() => app.close())
}

test('an operation that is described and whose examples run is accepted', async () => {
  const { count, problems } = await operationProblems(withOperation(good))
  expect(problems).toEqual([])
  expect(count).toBeGreaterThan(20)
})

test.each([
  [{ summary: 'Greet by name.' }, /summary/],
  [{ summary: 'x'.repeat(101) }, /summary/],
  [{ examples: [] }, /no example/],
  [{ input: Type.Object({ name: Type.String({ examples: ['Ada'] }) }) }, /name has no description/],
  [{ input: Type.Object({ name: Type.String({ description: 'Who.' }) }) }, /name has no example/],
  [{ examples: [{ title: 'Wrong', input: { name: 5 } }] }, /"Wrong" does not run/],
  [{ examples: [{ title: 'Wrong', input: { name: 'Ada' }, given: [['acme.nothing', {}]] }] }, /"Wrong" does not run/],
])('an operation with %j is refused', async (parts, problem) => {
  const { problems } = await operationProblems(
    withOperation(/** @type {import('@minions/core/operations').Operation} */ ({ ...good, ...parts })),
  )
  expect(problems).toEqual([expect.stringMatching(problem)])
})

test('the page shows every operation with its input and examples', () => {
  const page = operationsPage([{ plugin: '@acme/greeter', value: good }])
  expect(page).toContain('### acme.greet')
  expect(page).toContain('| `name` | string | Who is greeted. |')
  expect(page).toContain('"name": "Ada"')
})
