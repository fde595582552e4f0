import { defineType, type Minion, type Minions, type MinionsAccess } from '@minions/core'
import { canonicalJson, type JsonObject } from '@minions/core/json'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import type { Context } from '../context.js'

const mapType = defineType({
  id: 'kit-map',
  name: 'Map',
  slug: 'kit-map',
  schema: [
    { name: 'zoom', type: 'number', required: true },
    { name: 'area', type: 'json', defaultValue: { to: 1, from: { y: 0, x: 0 } } },
    { name: 'by', type: 'string' },
  ],
})

/** The result of `JSON.stringify` on a returned value must not depend on the backend, nor on which code returned it. */
export const keyOrder = casesOnClient('names in canonical order', [mapType], {
  'a new minion serialises the same way from the call that created it and from every read': async (client, context) => {
    const fields = { zoom: 3, by: 'us', kept: { b: 1, a: [{ d: 1, c: 2 }] }, area: { z: 1, a: 2 } }
    const input = { title: 'World', tags: ['b', 'a'], priority: 'high', description: 'all of it' } as const
    await isToldEverywhere(context, client, await client.create('kit-map', { ...input, fields }, { by: 'me' }))
    await isToldEverywhere(context, client, await client.create('kit-map', { title: 'Bare', fields: { zoom: 1 } }))
    for (const minion of await client.createMany('kit-map', [
      { title: 'First', fields: { zoom: 1, area: { c: 1, b: 1 } } },
      { fields: { by: 'x', zoom: 1 }, title: 'Second' },
    ])) {
      await isToldEverywhere(context, client, minion)
    }
    const inside = await client.transaction(async (tx) => {
      const created = await tx.create('kit-map', { title: 'Inside', fields: { zoom: 2, by: 'x' } })
      expect(JSON.stringify(await tx.get(created.id))).toBe(JSON.stringify(created))
      return created
    })
    await isToldEverywhere(context, client, inside)
  },

  'so does one that was changed, deleted, restored or migrated': async (client, context) => {
    const told: string[] = []
    client.on('minion.updated', ({ record }) => told.push(JSON.stringify(record)))
    const { id } = await client.create('kit-map', { title: 'World', fields: { zoom: 3, by: 'us' } })
    const patch = { fields: { area: { q: { s: 1, r: 2 }, b: 1 }, added: { b: 1, a: 2 } }, categoryId: 'c' }
    const updated = await client.update(id, patch, { by: 'you' })
    await isToldEverywhere(context, client, updated)
    expect(told).toEqual([JSON.stringify(updated)])
    await isToldEverywhere(context, client, await client.softDelete(id, { by: 'me' }))
    await isToldEverywhere(context, client, await client.restore(id))
    await client.types.evolve('kit-map', [...mapType.schema.slice(1), { name: 'age', type: 'number', defaultValue: 1 }])
    const migrated = (await client.get(id)) as Minion
    await isToldEverywhere(context, client, migrated)
    expect(JSON.stringify(await client.hardDelete(id))).toBe(JSON.stringify(migrated))
  },

  'relations and types too, also after opening the store again': async (client, context) => {
    const registered = client.types.get('kit-map')
    const { id } = await client.create('kit-map', { title: 'World', fields: { zoom: 3 } })
    const metadata = { z: 1, a: { d: 1, c: 2 } }
    const relation = await client.link({ sourceId: id, targetId: id, type: 'follows', metadata }, { by: 'me' })
    expect(JSON.stringify(relation)).toBe(canonicalJson(relation as JsonObject))
    const minion = JSON.stringify(await client.get(id))
    const again = await context.clientAgain()
    expect(JSON.stringify(again.types.get('kit-map'))).toBe(JSON.stringify(registered))
    expect(JSON.stringify(await again.relations(id))).toBe(JSON.stringify([relation]))
    expect(JSON.stringify(await again.get(id))).toBe(minion)
    expect(JSON.stringify(await again.unlink(relation.id))).toBe(JSON.stringify(relation))
  },
})

async function isToldEverywhere(context: Context, client: Minions, answer: Minion): Promise<void> {
  const { id, title } = answer
  const text = JSON.stringify(answer)
  expect(text).toBe(canonicalJson(answer as JsonObject))
  const read = async (reader: MinionsAccess) => {
    expect(JSON.stringify(await reader.get(id))).toBe(text)
    expect(JSON.stringify((await reader.getRecord(id))?.minion)).toBe(text)
    const query = { where: { id }, includeDeleted: true }
    const pages = [await reader.find(query)]
    if (context.backend.capabilities.search) pages.push(await reader.search(title, query))
    for (const { items } of pages) expect(items.map((item) => JSON.stringify(item))).toEqual([text])
  }
  await read(client)
  await client.transaction(read)
}
