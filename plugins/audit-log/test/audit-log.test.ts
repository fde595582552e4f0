import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineType, type Minion } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { auditCollection, auditLog } from '../src/index.js'

const tool = defineType({
  id: 'acme-tool',
  name: 'Tool',
  slug: 'tool',
  schema: [
    { name: 'size', type: 'number' },
    { name: 'label', type: 'string' },
    { name: 'constructor', type: 'string' },
  ],
})

/** An app whose clock moves on a second each time it is read. */
async function start(storage: StorageBackend = memoryStorage(), types = [tool]) {
  let seconds = 0
  const clock = () => Date.UTC(2030, 0, 1) + 1000 * seconds++
  return createMinions({ storage, types, clock, plugins: [auditLog()] })
}

describe.each([
  ['memory', () => memoryStorage()],
  ['sqlite', () => sqliteStorage({ path: join(scratch(), 'app.db') })],
])('the audit log on %s', (_, makeStorage) => {
  test('says who changed which field of which minion when', async () => {
    const app = await start(makeStorage())
    const { id } = await app.create(
      'tool',
      { title: 'Saw', tags: ['steel'], fields: { size: 1, label: 'a' } },
      { by: 'ada' },
    )
    const other = await app.create('tool', { title: 'Axe', fields: {} })
    const updated = await app.update(id, { title: 'Big saw', fields: { size: 2, label: null } }, { by: 'bob' })
    await app.softDelete(id, { by: 'eve' })
    await app.restore(id)
    await app.hardDelete(id, { by: 'ada' })

    const history = await app.auditLog.history(id)
    expect(history.map(({ number, kind, by }) => [number, kind, by])).toEqual([
      [1, 'created', 'ada'],
      [2, 'updated', 'bob'],
      [3, 'deleted', 'eve'],
      [4, 'restored', undefined],
      [5, 'purged', 'ada'],
    ])
    expect(history[1]).toMatchObject({ minionId: id, at: updated.updatedAt })
    expect(history[1]?.changes).toEqual([
      { field: '/title', before: 'Saw', after: 'Big saw' },
      { field: '/fields/label', before: 'a' },
      { field: '/fields/size', before: 1, after: 2 },
    ])
    expect(history[0]?.changes).toContainEqual({ field: '/tags', after: ['steel'] })
    expect(history[2]?.changes.map(({ field }) => field)).toEqual(['/deletedAt', '/deletedBy'])
    expect(history[4]?.changes).toContainEqual({ field: '/fields/size', before: 2 })
    expect(await app.auditLog.history(other.id)).toHaveLength(1)
    expect(await app.auditLog.history('nobody')).toEqual([])
    await app.close()
  })

  test('knows what a minion was at a time', async () => {
    const app = await start(makeStorage())
    const states: (Minion | undefined)[] = []
    const created = await app.create('tool', { title: 'Saw', fields: { size: 1 } })
    const { id } = created
    states.push(created, await app.update(id, { fields: { size: 2 } }), await app.softDelete(id))
    for (const state of states) {
      expect(await app.auditLog.at(id, state?.updatedAt ?? '')).toEqual(state)
      expect(await app.auditLog.at(id, Date.parse(state?.updatedAt ?? '') + 500)).toEqual(state)
    }
    expect(await app.auditLog.at(id, Date.parse(created.createdAt) - 1)).toBeUndefined()
    await app.hardDelete(id)
    expect(await app.auditLog.at(id, new Date('2031-01-01'))).toBeUndefined()
    expect(await app.auditLog.at(id, '2030-01-01T02:00:01+02:00')).toEqual(created)
    await expect(app.auditLog.at(id, 'yesterday')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await app.close()
  })

  test('is written in the transaction of the change, or not at all', async () => {
    const app = await start(makeStorage())
    const { id } = await app.create('tool', { title: 'Saw', fields: {} })
    const failing = app.transaction(async (tx) => {
      await tx.update(id, { title: 'Axe' })
      expect(await tx.auditLog.history(id)).toHaveLength(2)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await app.auditLog.history(id)).toHaveLength(1)
    await expect(app.update(id, { fields: { size: 'big' } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await app.auditLog.history(id)).toHaveLength(1)
    await app.transaction(async (tx) => {
      await tx.update(id, { title: 'One' })
      await tx.update(id, { title: 'Two' })
    })
    expect((await app.auditLog.history(id)).map(({ number }) => number)).toEqual([1, 2, 3])
    await app.close()
  })
})

test('a minion that is older than the log is noted as it was found', async () => {
  const path = join(scratch(), 'app.db')
  const before = await createMinions({ storage: sqliteStorage({ path }), types: [tool], clock: () => 5000 })
  const old = await before.create('tool', { title: 'Old', fields: { size: 1 } }, { by: 'ada' })
  await before.close()
  const app = await start(sqliteStorage({ path }))
  expect(await app.auditLog.history(old.id)).toEqual([])
  await app.update(old.id, { title: 'New' }, { by: 'bob' })
  expect(await app.auditLog.history(old.id)).toMatchObject([
    { number: 1, kind: 'baseline', at: old.updatedAt, changes: [] },
    { number: 2, kind: 'updated', by: 'bob', changes: [{ field: '/title', before: 'Old', after: 'New' }] },
  ])
  expect(await app.auditLog.at(old.id, 6000)).toEqual(old)
  expect(await app.auditLog.at(old.id, 4000)).toBeUndefined()
  await app.close()
})

test('evolutions and imports are recorded too', async () => {
  const app = await start()
  const { id } = await app.create('tool', { title: 'Saw', fields: { size: 1 } })
  await app.types.evolve('tool', [{ name: 'weight', type: 'number', defaultValue: 3 }], { by: 'eve' })
  expect((await app.auditLog.history(id))[1]).toMatchObject({
    kind: 'migrated',
    by: 'eve',
    changes: expect.arrayContaining([
      { field: '/fields/size', before: 1 },
      { field: '/fields/weight', after: 3 },
    ]),
  })
  let bundle = ''
  for await (const line of app.exportBundle()) bundle += line
  const other = await start(memoryStorage(), [])
  await other.importBundle(bundle)
  expect(await other.auditLog.history(id)).toMatchObject([{ number: 1, kind: 'imported' }])
  await app.close()
  await other.close()
})

test('fields with the names of built-in properties are fields like any', async () => {
  const app = await start()
  const { id } = await app.create('tool', { title: 'Saw', fields: {} })
  await app.update(id, { fields: { constructor: 'x' } })
  expect((await app.auditLog.history(id))[1]?.changes).toEqual([{ field: '/fields/constructor', after: 'x' }])
  await app.close()
})

test('whatever is done in whatever order, the last entry is the minion as it is', async () => {
  const step = fc.oneof(
    fc.record({ title: fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter((title) => title.trim() !== '') }),
    fc.record({
      fields: fc.record({ size: fc.option(fc.integer()), label: fc.option(fc.string({ unit: 'grapheme-ascii' })) }),
    }),
    fc.constantFrom('delete', 'restore'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const app = await start()
      const states = [await app.create('tool', { title: 'Saw', fields: {} })]
      const { id } = states[0] as Minion
      for (const action of steps) {
        if (action === 'delete') states.push(await app.softDelete(id))
        else if (action === 'restore') states.push(await app.restore(id))
        else if (!states.at(-1)?.deletedAt) states.push(await app.update(id, action as { title: string }))
      }
      for (const state of states) expect(await app.auditLog.at(id, state.updatedAt)).toEqual(state)
      expect((await app.auditLog.history(id)).at(-1)?.minion).toEqual(await app.get(id))
      expect(await app.storage.count(auditCollection)).toBe((await app.auditLog.history(id)).length)
      await app.close()
    }),
    { numRuns: 40, seed: 6 },
  )
})

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'minions-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a past at what is not a time is refused', async () => {
  const app = await start()
  for (const time of [new Array(2 ** 32 - 1), [Symbol('a')], 'yesterday', 'x'.repeat(50_000_000)]) {
    const error = await app.auditLog.at('a', time as never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await app.close()
})
