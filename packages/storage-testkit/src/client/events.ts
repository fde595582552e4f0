import type { RecordEvent } from '@minions/core'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import { listen, note, recipeType } from './support.js'

export const events = casesOnClient('events', [], {
  'each change is emitted once, after it is committed, with its revision': async (client) => {
    const told = listen(client)
    const a = await note(client, 'a')
    expect(told[0]).toMatchObject({
      name: 'minion.created',
      id: a.id,
      revision: (await client.getRecord(a.id))?.revision,
    })
    await client.update(a.id, { title: 'b' })
    expect(told[1]).toMatchObject({
      name: 'minion.updated',
      id: a.id,
      revision: (await client.getRecord(a.id))?.revision,
    })
    await client.softDelete(a.id)
    await client.softDelete(a.id)
    await client.restore(a.id)
    const { id } = await client.link({ sourceId: a.id, targetId: a.id, type: 'blocks' })
    await client.unlink(id)
    const second = await client.link({ sourceId: a.id, targetId: a.id, type: 'blocks' })
    await client.types.register(recipeType)
    const last = (await client.getRecord(a.id))?.revision
    await client.hardDelete(a.id)
    expect(told.slice(2).map((event) => `${event.name} ${event.id}`)).toEqual([
      `minion.deleted ${a.id}`,
      `minion.restored ${a.id}`,
      `relation.created ${id}`,
      `relation.removed ${id}`,
      `relation.created ${second.id}`,
      'type.registered kit-recipe',
      `relation.removed ${second.id}`,
      `minion.purged ${a.id}`,
    ])
    expect(told.at(-1)?.revision).toBe(last)
  },

  'a listener can read the record it is notified of': async (client) => {
    const seen: Promise<unknown>[] = []
    client.on('minion.created', ({ record }) => seen.push(client.get(record.id)))
    const a = await note(client, 'a')
    expect(await Promise.all(seen)).toEqual([a])
  },

  'a listener that throws or changes the record affects no one': async (_, context) => {
    const { TypedEmitter } = await import('@minions/core')
    const errors: unknown[] = []
    const client = await context.client({ events: new TypedEmitter({ onError: (error) => errors.push(error) }) })
    client.on('minion.created', (event: RecordEvent<{ title: string }>) => {
      event.record.title = 'spoilt'
      throw new Error('listener')
    })
    let called = 0
    const stop = client.on('minion.created', () => {
      called += 1
    })
    const a = await note(client, 'a')
    expect([a.title, (await client.get(a.id))?.title, called, errors.length]).toEqual(['a', 'a', 1, 1])
    stop()
    await note(client, 'b')
    expect(called).toBe(1)
  },
})
