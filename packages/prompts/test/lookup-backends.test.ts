import { Minions } from '@minions/core'
import { createMinions } from '@minions/host'
import { describe, expect, it } from 'vitest'
import { PromptsApi, promptPluginTypes, prompts, promptVersionType } from '../src/index.js'
import { IndexLookup } from '../src/lookup/index-lookup.js'
import { RelationLookup } from '../src/lookup/relation-lookup.js'
import { tickingClock } from './stores.js'
import { counting } from './support/counting.js'
import { everyBackend } from './support/every-backend.js'
import { everything } from './support/everything.js'

describe.each(everyBackend)('on %s', { timeout: 120_000 }, (_, locate) => {
  it('reading and adding takes the same number of queries, however many versions there are', async () => {
    const { storage, queries } = counting(await locate()())
    const app = await createMinions({ storage, clock: tickingClock(), plugins: [prompts()] })
    const first = await app.prompts.create({ title: 'P', content: 'Hi {{name}}' })
    const other = await app.prompts.create({ title: 'Q', content: 'x' })
    await app.prompts.variables.define(first.id, { name: 'name' })
    const cost = async (read: () => Promise<unknown>) => {
      const before = queries()
      await read()
      return queries() - before
    }
    const measure = async () => {
      const { id } = await app.prompts.latest(first.id)
      return {
        render: await cost(() => app.prompts.render(first.id, { name: 'Ada' })),
        renderVersion: await cost(() => app.prompts.render(id, { name: 'Ada' })),
        renderNumber: await cost(() => app.prompts.render({ prompt: first.id, version: 1 }, { name: 'Ada' })),
        renderFirst: await cost(() => app.prompts.render({ prompt: first.id, version: 0 }, { name: 'Ada' })),
        latest: await cost(() => app.prompts.latest(first.id)),
        latestOfVersion: await cost(() => app.prompts.latest(id)),
        published: await cost(() => app.prompts.published(first.id)),
        variables: await cost(() => app.prompts.variables.list(first.id)),
        variablesOfVersion: await cost(() => app.prompts.variables.list(id)),
        publish: await cost(() => app.prompts.publish(first.id)),
        add: await cost(() => app.prompts.addVersion(first.id, { content: 'Hello {{name}}' })),
        addAfter: await cost(() => app.prompts.addVersion(id, { content: 'Hello {{name}}' })),
        delete: await cost(async () => app.softDelete((await app.prompts.latest(first.id)).id)),
        history: await cost(() => app.prompts.history(first.id)),
      }
    }
    const grow = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await app.prompts.addVersion(first.id, { content: `{{name}} ${index}` })
        // Another prompt that is always newer.
        await app.prompts.addVersion(other.id, { content: `${index}` })
        if (index % 10 === 0) await app.prompts.publish(first.id)
        if (index % 10 === 5) await app.prompts.tests.create(first.id, { inputVariables: { name: 'Ada' } })
      }
    }
    await grow(3)
    await measure()
    const short = await measure()
    await grow(12)
    expect(await measure()).toEqual(short)
    expect(short.render).toBeLessThanOrEqual(6)
    expect(short.latest).toBeLessThanOrEqual(6)
    await app.close()
  })

  it('a store that was written without the index is read the same when it is opened', async () => {
    const open = locate()
    const storage = await open()
    const plain = await Minions.open({ storage, types: promptPluginTypes, clock: tickingClock() })
    const writing = new PromptsApi(plain)
    const ids: string[] = []
    for (const title of ['P', 'Q', 'R']) {
      const { id } = await writing.create({ title, content: `${title} {{name}}` })
      await writing.variables.define(id, { name: 'name', defaultValue: 'friend' })
      await writing.tests.create(id, { inputVariables: { name: 'Ada' } })
      for (let index = 0; index < 4; index++) await writing.addVersion(id, { content: `${title}${index}` })
      await writing.publish(id)
      ids.push(id)
    }
    // By hand, with `follows` alone.
    for (const [after, id] of [
      [ids[0], 'h1'],
      ['h1', 'h2'],
      ['h2', 'h3'],
    ] as const) {
      await plain.create(promptVersionType, { id, title: id, fields: { content: id } })
      await plain.link({ sourceId: id, targetId: String(after), type: 'follows' })
    }
    const before = await everything(plain, new RelationLookup(plain))
    const read = async (api: PromptsApi) =>
      Promise.all(
        [...ids, 'h2'].map(async (id) => ({
          latest: await api.latest(id),
          published: await api.published(id),
          history: await api.history(id),
          text: await api.render(id),
          tests: await api.tests.list(id),
        })),
      )
    const said = await read(writing)
    await plain.close()
    const app = await createMinions({ storage: await open(), plugins: [prompts()] })
    expect(await everything(app, new IndexLookup(app))).toEqual(before)
    expect(await read(app.prompts)).toEqual(said)
    expect((await app.prompts.addVersion('h3', { content: 'h4' })).fields.versionNumber).toBe(4)
    await app.close()
  })
})
