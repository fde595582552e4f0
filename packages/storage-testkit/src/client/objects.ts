import type { Minion } from '@minions/core'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { changesNothing, listen, note, noteInputs, recipeType, titles, UUID } from './support.js'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const objects = casesOnClient('minions', [recipeType], {
  'create adds id, timestamps, status, defaults and searchable text, and get finds the minion': async (client) => {
    const soup = await client.create(
      recipeType,
      { title: 'Soup', tags: ['Warm'], fields: { servings: 4 } },
      { by: 'anna' },
    )
    expect(soup.id).toMatch(UUID)
    expect(soup.createdAt).toMatch(TIMESTAMP)
    expect(soup).toMatchObject({
      title: 'Soup',
      minionTypeId: 'kit-recipe',
      status: 'active',
      createdBy: 'anna',
      updatedAt: soup.createdAt,
      fields: { servings: 4, difficulty: 'easy', steps: [] },
      searchableText: 'soup warm easy',
    })
    expect(await client.get(soup.id)).toEqual(soup)
    const record = await client.getRecord(soup.id)
    expect(record?.minion).toEqual(soup)
    expect(record?.revision).toEqual(expect.any(String))
  },

  'a type is named by slug, by id or by itself; an unknown one is NOT_FOUND': async (client) => {
    for (const type of ['kit-recipe', 'note', 'builtin-note']) {
      const fields = type === 'kit-recipe' ? { servings: 1 } : { content: 'x' }
      expect((await client.create(type, { title: 'x', fields })).title).toBe('x')
    }
    await changesNothing(client, () => failure(client.create('nonsense', { title: 'x' }), 'NOT_FOUND'))
    expect(await client.count()).toBe(3)
  },

  'invalid input is VALIDATION_FAILED with all field errors, and nothing is written': async (client) => {
    await changesNothing(client, async () => {
      const fields = { servings: 0, difficulty: 'no', steps: 'one', source: 'ftp://x' } as never
      const error = await failure(
        client.create(recipeType, { title: '', status: 'bad' as never, fields }),
        'VALIDATION_FAILED',
      )
      const errors = error.details.errors as { field: string }[]
      expect(errors.map(({ field }) => field).sort()).toEqual(
        ['difficulty', 'servings', 'source', 'status', 'steps', 'title'].sort(),
      )
      await failure(client.create(recipeType, { title: 'x' } as never), 'VALIDATION_FAILED')
      await failure(client.create('note', null as never), 'VALIDATION_FAILED')
      await failure(client.create('note', { title: 'x', fields: { content: 'nul\0' } }), 'VALIDATION_FAILED')
      await failure(
        client.create('note' as string, { title: 'x', fields: { content: 'x', extra: Number.NaN } }),
        'VALIDATION_FAILED',
      )
    })
  },

  'createMany creates all in order, or none': async (client) => {
    const inputs = noteInputs(120)
    const minions = await client.createMany('note', inputs, { by: 'anna' })
    expect(titles(minions)).toEqual(inputs.map(({ title }) => title))
    expect(minions.every(({ createdBy }) => createdBy === 'anna')).toBe(true)
    expect(await client.count()).toBe(120)
    await changesNothing(client, async () => {
      const bad = [{ title: 'ok', fields: { content: 'x' } }, { title: 'bad', fields: {} }, { title: '' }]
      const error = await failure(client.createMany('note', bad as never), 'VALIDATION_FAILED')
      const errors = error.details.errors as { index: number; field: string }[]
      expect(errors.map(({ index, field }) => `${index} ${field}`)).toEqual(['1 content', '2 title', '2 content'])
      const taken = minions[5]?.id as string
      const conflicting = [...inputs.slice(0, 3), { id: taken, title: 'again', fields: { content: 'x' } }]
      await failure(client.createMany('note', conflicting), 'CONFLICT')
    })
    expect(await client.createMany('note', [])).toEqual([])
  },

  'an id may be given when it is well formed and free': async (client) => {
    const fields = { content: 'x' }
    for (const id of ['agent-001', 'minions-prompts/x', 'a'.repeat(128), '0', 'A.b_c:d-e']) {
      expect((await client.create('note', { id, title: 'x', fields })).id).toBe(id)
      expect((await client.get(id))?.id).toBe(id)
    }
    await changesNothing(client, async () => {
      for (const id of ['../x', 'a..b', '/x', '.x', ' x', 'x y', 'é', "x'", '__proto__', 'a'.repeat(129), 'x\0']) {
        await failure(client.create('note', { id, title: 'x', fields }), 'VALIDATION_FAILED')
        expect(await client.get(id)).toBeUndefined()
      }
      const error = await failure(client.create('note', { id: '0', title: 'again', fields }), 'CONFLICT')
      expect(error.details.current).toBe((await client.getRecord('0'))?.revision)
    })
  },

  'an unknown id is undefined when read and NOT_FOUND when written': async (client) => {
    for (const id of ['nobody', '', '__proto__', '../x']) {
      expect(await client.get(id)).toBeUndefined()
      expect(await client.getRecord(id)).toBeUndefined()
      await changesNothing(client, async () => {
        await failure(client.update(id, { title: 'x' }), 'NOT_FOUND')
        await failure(client.softDelete(id), 'NOT_FOUND')
        await failure(client.restore(id), 'NOT_FOUND')
        await failure(client.hardDelete(id), 'NOT_FOUND')
        await failure(client.unlink(id), 'NOT_FOUND')
      })
    }
  },

  'an id that is not a string is VALIDATION_FAILED': async (client) => {
    for (const id of [5, undefined, null, {}, Symbol('id')] as never[]) {
      await changesNothing(client, async () => {
        await failure(client.get(id), 'VALIDATION_FAILED')
        await failure(client.get('note', id), 'VALIDATION_FAILED')
        await failure(client.getRecord(id), 'VALIDATION_FAILED')
        await failure(client.update(id, { title: 'x' }), 'VALIDATION_FAILED')
        await failure(client.softDelete(id), 'VALIDATION_FAILED')
        await failure(client.hardDelete(id), 'VALIDATION_FAILED')
      })
    }
  },

  'get and update with a type find only minions of that type': async (client) => {
    const { id } = await note(client, 'a')
    expect((await client.get('note', id))?.title).toBe('a')
    expect(await client.get(recipeType, id)).toBeUndefined()
    expect(await client.get('note', 'nobody')).toBeUndefined()
    await failure(client.get('no-such-type', id), 'NOT_FOUND')
    expect(await client.update('note', id, { title: 'b' }, { by: 'anna' })).toMatchObject({ updatedBy: 'anna' })
    await changesNothing(client, async () => {
      await failure(client.update('task', id, { title: 'c' }), 'NOT_FOUND')
      await failure(client.update('no-such-type', id, { title: 'c' }), 'NOT_FOUND')
    })
    await client.transaction(async (tx) => {
      expect((await tx.update('note', id, { fields: { content: 'y' } })).fields.content).toBe('y')
      expect((await tx.get('note', id))?.fields.content).toBe('y')
    })
  },

  'fields unknown to the type are kept': async (client) => {
    const fields = { content: 'x', extra: { nested: [1, null] }, constructor: 'own' }
    const minion = await client.create('note', { title: 'x', fields })
    const updated = await client.update(minion.id, { fields: { content: 'y' } })
    expect(updated.fields).toEqual({ ...fields, content: 'y' })
    expect((await client.get(minion.id))?.fields).toEqual({ ...fields, content: 'y' })
  },

  'update merges, clears, recomputes the searchable text and sets author and time': async (client) => {
    const soup = await client.create(recipeType, {
      title: 'Soup',
      description: 'Hot',
      priority: 'high',
      tags: ['a'],
      fields: { servings: 4, source: 'https://example.org' },
    })
    const updated = await client.update(
      soup.id,
      { title: 'Stew', description: null, priority: undefined, fields: { source: null, steps: ['stir'] } },
      { by: 'berta' },
    )
    expect(updated).toMatchObject({
      id: soup.id,
      title: 'Stew',
      priority: 'high',
      tags: ['a'],
      fields: { servings: 4, difficulty: 'easy', steps: ['stir'] },
      searchableText: 'stew a easy stir',
      createdAt: soup.createdAt,
      updatedBy: 'berta',
    })
    expect('description' in updated || 'source' in updated.fields).toBe(false)
    expect(updated.updatedAt > soup.updatedAt).toBe(true)
    expect(await client.get(soup.id)).toEqual(updated)
  },

  'an update that would leave an invalid minion is refused with all errors, and nothing is written': async (client) => {
    const soup = await client.create(recipeType, { title: 'Soup', fields: { servings: 4 } })
    await changesNothing(client, async () => {
      const patch = { title: '', fields: { servings: null, difficulty: 'no' } }
      const error = await failure(client.update(soup.id, patch), 'VALIDATION_FAILED')
      const errors = error.details.errors as { field: string }[]
      expect(errors.map(({ field }) => field).sort()).toEqual(['difficulty', 'servings', 'title'])
      await failure(client.update(soup.id, { id: 'other' } as never), 'VALIDATION_FAILED')
      await failure(client.update(soup.id, { minionTypeId: 'builtin-note' } as never), 'VALIDATION_FAILED')
    })
  },

  'errors on what an update does not touch do not block it': async (client) => {
    const soup = await client.create(recipeType, { title: 'Soup', fields: { servings: 4 } })
    const stricter = recipeType.schema.map((field) =>
      field.name === 'servings' ? { ...field, validation: { min: 10 } } : field,
    )
    await client.types.evolve('kit-recipe', stricter)
    const updated = await client.update(soup.id, { title: 'Thin soup' })
    expect(updated).toMatchObject({ title: 'Thin soup', fields: { servings: 4 } })
    await changesNothing(client, () =>
      failure(client.update(soup.id, { fields: { servings: 5 } }), 'VALIDATION_FAILED'),
    )
  },

  'a required revision protects an update; a stale one is CONFLICT with the current one': async (client) => {
    const { id } = await note(client, 'first')
    const revision = (await client.getRecord(id))?.revision ?? ''
    await client.update(id, { title: 'second' }, { ifRevision: revision })
    const current = (await client.getRecord(id))?.revision
    expect(current).not.toBe(revision)
    await changesNothing(client, async () => {
      const error = await failure(client.update(id, { title: 'third' }, { ifRevision: revision }), 'CONFLICT')
      expect(error.details.current).toBe(current)
    })
    expect((await client.get(id))?.title).toBe('second')
  },

  'updates without a required revision are all applied, however many run at once': async (client) => {
    const { id } = await note(client, 'many')
    const patches = times(12, (index) => client.update(id, { fields: { [`f${index}`]: index } }))
    await Promise.all(patches)
    expect(Object.keys((await client.get(id))?.fields ?? {})).toHaveLength(13)
  },

  'one of many updates that require the same revision wins': async (client) => {
    const { id } = await note(client, 'one')
    const ifRevision = (await client.getRecord(id))?.revision ?? ''
    const attempts = times(8, (index) => client.update(id, { title: `winner ${index}` }, { ifRevision }))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  },

  'a soft-deleted minion is left out of queries, still found by id, and cannot be updated': async (client) => {
    const { id, updatedAt } = await note(client, 'gone')
    const deleted = await client.softDelete(id, { by: 'anna' })
    expect(deleted).toMatchObject({ deletedBy: 'anna', deletedAt: deleted.updatedAt })
    expect(deleted.updatedAt > updatedAt).toBe(true)
    expect(await client.get(id)).toEqual(deleted)
    expect([await client.count(), (await client.find()).items.length]).toEqual([0, 0])
    expect(await client.count({ includeDeleted: true })).toBe(1)
    expect((await client.find({ includeDeleted: true })).items).toEqual([deleted])
    await changesNothing(client, async () => {
      await failure(client.update(id, { title: 'x' }), 'DELETED')
      expect(await client.softDelete(id, { by: 'berta' })).toEqual(deleted)
    })
  },

  'restoring undeletes a minion; restoring one that is not deleted changes nothing': async (client) => {
    const { id } = await note(client, 'back')
    const deleted = await client.softDelete(id)
    const restored = await client.restore(id, { by: 'anna' })
    expect(restored).toMatchObject({ deletedAt: null, deletedBy: null, updatedBy: 'anna' })
    expect(restored.updatedAt > deleted.updatedAt).toBe(true)
    expect((await client.find()).items).toEqual([restored])
    await changesNothing(client, async () => expect(await client.restore(id)).toEqual(restored))
    expect((await client.update(id, { title: 'again' })).title).toBe('again')
  },

  'hard deletion removes the minion permanently, soft-deleted before or not': async (client) => {
    const [a, b] = [await note(client, 'a'), await note(client, 'b')]
    await client.softDelete(b.id)
    expect((await client.hardDelete(a.id)).id).toBe(a.id)
    await client.hardDelete(b.id)
    expect([await client.get(a.id), await client.get(b.id)]).toEqual([undefined, undefined])
    expect(await client.count({ includeDeleted: true })).toBe(0)
    await failure(client.hardDelete(a.id), 'NOT_FOUND')
  },

  'the author is in the record and in the event': async (client) => {
    const told = listen(client)
    const { id, createdBy } = await client.create('note', { title: 'x', fields: { content: 'x' } }, { by: 'a' })
    expect(createdBy).toBe('a')
    expect((await client.update(id, { title: 'y' }, { by: 'b' })).updatedBy).toBe('b')
    expect((await client.softDelete(id, { by: 'c' })).deletedBy).toBe('c')
    expect((await client.restore(id, { by: 'd' })).updatedBy).toBe('d')
    const relation = await client.link({ sourceId: id, targetId: id, type: 'relates_to' }, { by: 'e' })
    expect(relation.createdBy).toBe('e')
    await client.unlink(relation.id, { by: 'f' })
    await client.hardDelete(id, { by: 'g' })
    expect(told.map(({ by }) => by).join('')).toBe('abcdefg')
  },

  'returned values and arguments are copied': async (client) => {
    const fields = { content: 'x', list: [{ a: 1 }] }
    const created = await client.create('note', { title: 'x', tags: ['t'], fields })
    fields.list.push({ a: 2 })
    spoil(created)
    spoil(await client.get(created.id))
    spoil((await client.getRecord(created.id))?.minion)
    spoil((await client.find()).items[0])
    spoil(await client.update(created.id, { title: 'y' }))
    expect(await client.get(created.id)).toMatchObject({
      title: 'y',
      tags: ['t'],
      fields: { content: 'x', list: [{ a: 1 }] },
    })
  },
})

function spoil(minion: Minion | undefined): void {
  if (!minion) throw new Error('There is no minion.')
  ;(minion.fields.list as unknown[]).push('spoilt')
  ;(minion.tags as string[]).push('spoilt')
  minion.fields.content = 'spoilt'
  minion.title = 'spoilt'
}
