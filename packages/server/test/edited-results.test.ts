import type { Minion } from '@minions/core'
import { defineOperation, findOperation, operations, runOperation } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, server } from '../src/index.js'
import { json } from './support/app.js'

const parts = {
  summary: 'Get a note in capitals',
  access: 'read',
  input: Type.Object({ id: Type.String({ description: 'Id.', examples: ['a'] }) }),
  output: Type.Unsafe<Minion>({ type: 'object' }),
  deps: { client: tokens.client },
} as const

/** Edits a minion in place. */
function inCapitals(note: { title: string }): Minion {
  note.title = note.title.toUpperCase()
  return note as Minion
}

const throughCall = defineOperation({
  ...parts,
  name: 'capitals.call',
  run: async ({ id }, { client }) => inCapitals((await runOperation(client, 'objects.get', { id })) as never),
})

const throughRun = defineOperation({
  ...parts,
  name: 'capitals.run',
  run: ({ id }, { client }, context) => {
    const found = findOperation(client, 'objects.get').value.run({ id }, { client }, context) as unknown
    return found instanceof Promise ? found.then(inCapitals) : inCapitals(found as never)
  },
})

const capitals = definePlugin({
  ref: pluginRef<object>()('@acme/capitals', 'capitals'),
  version: '1.0.0',
  contributes: [[operations, [throughCall, throughRun]]],
  setup: () => ({}),
})

test.each([
  ['memory:', throughCall],
  ['memory:', throughRun],
  ['sqlite::memory:', throughCall],
  ['sqlite::memory:', throughRun],
])('on %s, a result that an operation has edited in place is sent as edited', async (storage, { name }) => {
  const app = await createMinions({ storage, plugins: [server(), capitals] })
  onTestFinished(() => app.close())
  const handler = createHandler(app)
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['read'] })
  await app.create('note', { id: 'a', title: 'plants', fields: { content: 'x' } })
  const read = async (operation: string) => {
    const url = `http://localhost:4747/api/operations/${operation}?id=a`
    return json(await handler(new Request(url, { headers: { authorization: `Bearer ${key}` } })))
  }
  const stored = await read('objects.get')
  expect(stored).toMatchObject({ title: 'plants' })
  expect(await read(name)).toEqual({ ...stored, title: 'PLANTS' })
  expect(await read('objects.get')).toEqual(stored)
})
