import { clientOperations, runOperation } from '@minions/core'
import { expect, test } from 'vitest'
import { createMinions } from '../src/index.js'
import { rejection } from './support.js'

test.each(clientOperations.flatMap(({ name, examples = [] }) => examples.map((example) => ({ name, ...example }))))(
  '$name: $title',
  async ({ name, given = [], input }) => {
    const app = await createMinions({ storage: 'memory:', plugins: [] })
    for (const [operation, before] of given) await runOperation(app, operation, before)
    await runOperation(app, name, input)
    await app.close()
  },
)

test('a tree shows children below their parents, and a type its fields as a JSON Schema', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [] })
  const [plan, step] = await app.createMany('note', [
    { title: 'Plan', fields: { content: 'x' } },
    { title: 'Step', fields: { content: 'x' } },
  ])
  await app.link({ sourceId: plan?.id ?? '', targetId: step?.id ?? '', type: 'parent_of' })
  expect(await runOperation(app, 'relations.tree', { id: plan?.id })).toEqual({
    minion: plan,
    children: [{ minion: step, children: [] }],
  })
  await rejection(runOperation(app, 'relations.tree', { id: 'nobody' }), 'NOT_FOUND', 'nobody')
  expect(await runOperation(app, 'types.jsonSchema', { type: 'note' })).toMatchObject({ required: ['content'] })
  await rejection(runOperation(app, 'types.jsonSchema', { type: 'nothing' }), 'NOT_FOUND', 'types.list')
  await app.close()
})
