import {
  clientOperations,
  operationsOf,
  type RunOperationOptions,
  runExample,
  runOperation,
} from '@minions/core/operations'
import { expect, test } from 'vitest'
import { createMinions } from '../src/index.js'
import { rejection } from './support.js'

test.each(
  clientOperations.flatMap((operation) =>
    (operation.examples ?? []).map((example) => ({ name: operation.name, title: example.title, operation, example })),
  ),
)('$name: $title', async ({ operation, example }) => {
  const app = await createMinions({ storage: 'memory:', plugins: [] })
  await runExample(app, operation, example)
  await app.close()
})

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

test('operations are listed as far as the caller may run them, and described', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [] })
  const names = async (options: RunOperationOptions) =>
    ((await runOperation(app, 'operations.list', {}, options)) as { name: string }[]).map(({ name }) => name)
  expect(await names({})).toEqual([...operationsOf(app).keys()])
  expect(await names({ access: 'read' })).not.toContain('objects.create')
  expect(await names({ access: 'read', confined: true })).toEqual(['operations.list', 'operations.get'])
  const described = await runOperation(app, 'operations.get', { name: 'objects.find' })
  expect(described).toMatchObject({ access: 'read', plugin: expect.any(String), input: { type: 'object' } })
  await rejection(runOperation(app, 'operations.get', { name: 'objects.fnd' }), 'NOT_FOUND', 'objects.find')
  await app.close()
})

test('a minion comes with the revision that an update can insist on', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [] })
  const { id } = await app.create('note', { title: 'A', fields: { content: 'x' } })
  const { revision } = (await runOperation(app, 'objects.getRecord', { id })) as { revision: string }
  await runOperation(app, 'objects.update', { id, title: 'B', ifRevision: revision })
  await rejection(runOperation(app, 'objects.update', { id, title: 'C', ifRevision: revision }), 'CONFLICT', id)
  await rejection(runOperation(app, 'objects.getRecord', { id: 'none' }), 'NOT_FOUND', 'none')
  await app.close()
})
