import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import { describe, expect, it } from 'vitest'
import { promptPluginTypes, prompts, promptTemplateType } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('a prompt written through the client on %s', (_, create) => {
  it('has its variables, and description and tags as attributes too', async () => {
    const { client } = await openStore(create())
    const events: unknown[] = []
    client.on('minion.created', ({ record }) => events.push(record))
    const fields = { content: 'Hi {{name}}{{#if x}}!{{/if}}', description: 'Greets', tags: ['a', 'b'] }
    const prompt = await client.create(promptTemplateType, { title: 'P', fields })
    expect(prompt).toMatchObject({ description: 'Greets', tags: ['a', 'b'] })
    expect(prompt.fields).toEqual({ ...fields, variables: ['name', 'x'] })
    expect(prompt.searchableText).toContain('name')
    expect(await client.getRecord(prompt.id)).toMatchObject({ minion: prompt })
    expect(events).toEqual([prompt])
    expect((await client.find({ tags: ['b'] })).items).toEqual([prompt])
    await client.close()
  })

  it('keeps them in step with every update, in one write', async () => {
    const { client } = await openStore(create())
    const prompt = await client.create(promptTemplateType, {
      title: 'P',
      fields: { content: '{{a}}', description: 'old', tags: ['t'] },
    })
    const events: { record: unknown; revision: string }[] = []
    client.on('minion.updated', ({ record, revision }) => events.push({ record, revision }))
    const patch = { fields: { content: '{{b}}', description: 'new', tags: null } }
    const updated = await client.update(prompt.id, patch)
    expect(updated).toMatchObject({ description: 'new', fields: { description: 'new', variables: ['b'] } })
    expect([updated.tags, updated.fields.tags]).toEqual([undefined, undefined])
    expect(updated.searchableText).not.toContain('old')
    const stored = await client.getRecord(prompt.id)
    expect(events).toEqual([{ record: stored?.minion, revision: stored?.revision }])
    expect(stored?.minion).toEqual(updated)
    await client.close()
  })

  it('takes what is given as an attribute alone for the field, and the field where both are given', async () => {
    const { client } = await openStore(create())
    const input = { title: 'P', description: 'attribute', tags: ['a'], fields: { content: 'x', tags: ['f'] } }
    const prompt = await client.create('prompt-version', input)
    expect(prompt).toMatchObject({
      description: 'attribute',
      tags: ['f'],
      fields: { description: 'attribute', tags: ['f'] },
    })
    const renamed = await client.update(prompt.id, { description: 'later' })
    expect(renamed).toMatchObject({ description: 'later', fields: { description: 'later', tags: ['f'] } })
    const cleared = await client.update(prompt.id, { description: null, tags: ['z'], fields: { tags: ['g'] } })
    expect(cleared).toMatchObject({ tags: ['g'], fields: { tags: ['g'] } })
    expect([cleared.description, cleared.fields.description]).toEqual([undefined, undefined])
    await client.close()
  })

  it('is mirrored in lists, in transactions and when its type evolves', async () => {
    const { client } = await openStore(create())
    const [first] = await client.createMany(promptTemplateType, [{ title: 'P', fields: { content: '{{a}}' } }])
    expect(first?.fields.variables).toEqual(['a'])
    await client.transaction(async (tx) => {
      const inside = await tx.update(first?.id ?? '', { fields: { content: '{{b}}' } })
      expect(inside.fields.variables).toEqual(['b'])
      expect(await tx.get(inside.id)).toEqual(inside)
    })
    const others = promptTemplateType.schema.filter(({ name }) => name !== 'description')
    await client.types.evolve('prompt-template', others)
    const description = { name: 'description', type: 'string', defaultValue: 'none yet' } as const
    await client.types.evolve('prompt-template', [...others, description])
    const evolved = await client.get(first?.id ?? '')
    expect(evolved).toMatchObject({ description: 'none yet', fields: { description: 'none yet' } })
    await client.close()
  })
})

it('leaves the variables of content that was stored malformed as they are', async () => {
  const client = await Minions.open({ storage: memoryStorage(), types: promptPluginTypes })
  const fields = { content: '{{', variables: ['kept'] }
  const broken = await client.create(promptTemplateType, { title: 'P', fields })
  expect((await client.update(broken.id, { title: 'Q' })).fields).toEqual(fields)
  await client.close()
})

it('is mirrored by the plugin of an app as well', async () => {
  const app = await createMinions({ storage: memoryStorage(), plugins: [prompts()] })
  const prompt = await app.create('prompt-template', { title: 'P', fields: { content: '{{a}}', tags: ['t'] } })
  expect(prompt).toMatchObject({ tags: ['t'], fields: { variables: ['a'] } })
  const updated = await app.update(prompt.id, { fields: { content: 'none' } })
  expect(updated.fields.variables).toEqual([])
  await app.close()
})
