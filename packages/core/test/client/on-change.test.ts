import { expect, test } from 'vitest'
import { defineType, Minions } from '../../src/index.js'
import type { MinionChange } from '../../src/plugin/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

const type = defineType({ id: 'tool', name: 'Tool', slug: 'tool', schema: [{ name: 'size', type: 'number' }] })

/** A client whose changes are collected as `kind:by`, and the changes themselves. */
async function watched(refuse?: (change: MinionChange) => boolean) {
  const changes: MinionChange[] = []
  const client = await Minions.open({
    storage: memoryStorage(),
    types: [type],
    clock: () => 0,
    onChange(change) {
      if (refuse?.(change)) throw new Error('refused')
      changes.push(change)
    },
  })
  return { client, changes }
}

test('every change of a minion is told, with what was before and after', async () => {
  const { client, changes } = await watched()
  const { id } = await client.create(type, { title: 'Saw', fields: { size: 1 } }, { by: 'ada' })
  await client.update(id, { fields: { size: 2 } }, { by: 'bob' })
  await client.softDelete(id, { by: 'ada' })
  await client.restore(id)
  await client.types.evolve('tool', [{ name: 'size', type: 'string', defaultValue: 'S' }], { by: 'eve' })
  await client.hardDelete(id, { by: 'bob' })
  expect(changes.map(({ kind, by }) => [kind, by])).toEqual([
    ['created', 'ada'],
    ['updated', 'bob'],
    ['deleted', 'ada'],
    ['restored', undefined],
    ['migrated', 'eve'],
    ['purged', 'bob'],
  ])
  expect(changes.every((change) => change.minionId === id && change.at === '1970-01-01T00:00:00.000Z')).toBe(true)
  expect(changes.map(({ before, after }) => [before?.fields.size, after?.fields.size])).toEqual([
    [undefined, 1],
    [1, 2],
    [2, 2],
    [2, 2],
    [2, 'S'],
    ['S', undefined],
  ])
})

test('an imported minion is told too, one that was there already is not', async () => {
  const { client } = await watched()
  await client.create(type, { title: 'Saw', fields: {} })
  let bundle = ''
  for await (const line of client.exportBundle()) bundle += line
  const other = await watched()
  await other.client.importBundle(bundle)
  await other.client.importBundle(bundle)
  expect(other.changes).toMatchObject([{ kind: 'imported', before: undefined, after: { title: 'Saw' } }])
})

test('what takes part in a change can undo it by throwing', async () => {
  const { client } = await watched(({ after }) => after?.title === 'Bad')
  await client.create(type, { title: 'Good', fields: {} })
  await expect(
    client.createMany(type, [
      { title: 'Fine', fields: {} },
      { title: 'Bad', fields: {} },
    ]),
  ).rejects.toThrow('refused')
  expect(await client.count()).toBe(1)
})
