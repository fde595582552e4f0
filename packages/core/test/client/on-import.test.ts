import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Minions, type MinionsOptions } from '../../src/index.js'
import type { ImportedRecords } from '../../src/plugin/index.js'
import { defineCollection, minionsCollection } from '../../src/storage/index.js'
import { memoryStorage } from '../../src/storage/memory/index.js'

const schema = Type.Object({ id: Type.String(), count: Type.Integer() })
const counts = defineCollection({ name: 'counts', version: 1, schema, key: 'id', derived: true })
const kept = defineCollection({ name: 'kept', version: 1, schema, key: 'id' })

const open = (options: Partial<MinionsOptions> = {}) =>
  Minions.open({ storage: memoryStorage(), collections: [counts, kept], ...options })

async function bundleOf(client: Minions): Promise<string> {
  let text = ''
  for await (const line of client.exportBundle({ all: true })) text += line
  return text
}

async function source() {
  const client = await open()
  const a = await client.create('note', { title: 'a', fields: { content: 'a' } })
  const b = await client.create('note', { title: 'b', fields: { content: 'b' } })
  const relation = await client.link({ sourceId: a.id, targetId: b.id, type: 'relates_to' })
  for (const collection of [counts, kept]) await client.storage.put(collection, { id: 'all', count: 2 })
  return { client, a, b, relation }
}

test('an import is told once, with what it added, when all of it is written', async () => {
  const { client, a, b, relation } = await source()
  const bundle = await bundleOf(client)
  const seen: { imported: ImportedRecords; stored: number }[] = []
  const target = await open({
    async onImport(imported, tx) {
      seen.push({ imported, stored: await tx.count(minionsCollection) })
    },
  })
  await target.importBundle([bundle])
  await target.importBundle([bundle])
  expect(seen).toEqual([
    { imported: { minions: expect.arrayContaining([a, b]), relations: [relation] }, stored: 2 },
    { imported: { minions: [], relations: [] }, stored: 2 },
  ])
  const refusing = await open({
    onImport() {
      throw new Error('refused')
    },
  })
  await expect(refusing.importBundle([bundle])).rejects.toThrow('refused')
  expect(await refusing.count()).toBe(0)
  for (const one of [client, target, refusing]) await one.close()
})

test('what is derived from other collections is neither exported nor imported', async () => {
  const { client } = await source()
  expect(await bundleOf(client)).not.toContain('"counts"')
  // A program that does not know what the collection is exports it like any other.
  const storage = memoryStorage()
  const knowing = await open({ storage })
  await knowing.storage.put(counts, { id: 'all', count: 2 })
  const unknowing = await Minions.open({ storage, collections: [kept] })
  const bundle = await bundleOf(unknowing)
  expect(bundle).toContain('"counts"')
  const target = await open()
  await target.storage.put(counts, { id: 'all', count: 7 })
  expect((await target.importBundle([bundle])).added).toMatchObject({ counts: 0 })
  expect(await target.storage.get(counts, 'all')).toEqual({ id: 'all', count: 7 })
  for (const one of [client, knowing, target]) await one.close()
})

test('records are imported as they are, whole or not at all, and told like those of a bundle', async () => {
  const { client, a, b, relation } = await source()
  const seen: ImportedRecords[] = []
  const changed: string[] = []
  const target = await open({
    onImport: (imported) => void seen.push(imported),
    onChange: ({ kind, minionId }) => void changed.push(`${kind} ${minionId}`),
  })
  expect(await target.importRecords({ minions: [a] })).toEqual({ minions: [a], relations: [] })
  const imported = { minions: [b], relations: [relation] }
  expect(await target.importRecords({ minions: [a, b], relations: [relation] })).toEqual(imported)
  expect(seen).toEqual([{ minions: [a], relations: [] }, imported])
  expect(changed).toEqual([`imported ${a.id}`, `imported ${b.id}`])
  expect([await target.get(a.id), ...(await target.relations(a.id))]).toEqual([a, relation])
  const other = { ...b, id: 'other' }
  const conflict = target.importRecords({ minions: [other, { ...a, title: 'changed' }] })
  await expect(conflict).rejects.toMatchObject({ code: 'CONFLICT' })
  const dangling = { ...relation, id: 'dangling', targetId: 'nobody' }
  await expect(target.importRecords({ minions: [other], relations: [dangling] })).rejects.toMatchObject({
    code: 'REFERENCE_VIOLATION',
  })
  expect(await target.count()).toBe(2)
  for (const one of [client, target]) await one.close()
})

test('a bundle of pieces that are neither text nor bytes is refused at the first of them', async () => {
  const client = await open()
  await expect(client.importBundle(new Array(2 ** 32 - 1))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('a record that can be read only a few times is read once, and plugins get what is stored', async () => {
  const changes: unknown[] = []
  const client = await open({ onChange: ({ after }) => void changes.push(structuredClone(after?.fields)) })
  const { id: _id, ...rest } = await client.create('note', { title: 'A', fields: { content: 'x' } })
  let reads = 0
  const once = () => {
    if (++reads > 1) throw new Error('read again')
    return 'y'
  }
  const fields = Object.defineProperty({}, 'content', { enumerable: true, get: once })
  await client.importRecords({ minions: [{ ...rest, id: 'imported', fields }] })
  expect(changes.at(-1)).toEqual({ content: 'y' })
})
