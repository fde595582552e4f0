import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPromptName, prompts, promptTemplateType } from '../src/index.js'
import { nameFromTitle } from '../src/names/prompt-name.js'
import { backends, openStore } from './stores.js'

fc.configureGlobal({ seed: 20_240_118 })

describe.each(backends)('names on %s', (_, create) => {
  it('stand for a prompt wherever an id does', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'Support', name: 'support-bot', content: 'Hi {{name}}' })
    expect(await prompts.nameOf(prompt.id)).toBe('support-bot')
    expect(await prompts.render('support-bot', { name: 'Ada' })).toBe('Hi Ada')
    const version = await prompts.addVersion('support-bot', { content: 'Hello {{name}}' })
    expect(await prompts.nameOf(version.id)).toBe('support-bot')
    expect(await prompts.latest('support-bot')).toEqual(version)
    await prompts.publish('support-bot')
    expect(await prompts.render('support-bot', { name: 'Ada' })).toBe('Hello Ada')
    await prompts.rollback('support-bot')
    expect(await prompts.published('support-bot')).toMatchObject({ id: prompt.id })
    await prompts.variables.define('support-bot', { name: 'name' })
    expect(await prompts.variables.list('support-bot')).toHaveLength(1)
    const test = await prompts.tests.create('support-bot', { inputVariables: { name: 'Ada' } })
    expect(await prompts.tests.list('support-bot')).toEqual([test])
    expect(await prompts.history('support-bot')).toHaveLength(2)
    expect((await prompts.update('support-bot', { title: 'Other' })).title).toBe('Other')
    expect(await prompts.lint('support-bot')).not.toEqual([])
    expect(await prompts.resolve('support-bot')).toBe(prompt.id)
    expect(await prompts.render({ prompt: 'support-bot', version: 1 }, { name: 'Bo' })).toBe('Hello Bo')
    const agent = await client.create('agent', { title: 'A', fields: { role: 'x' } })
    await prompts.bindAgent(agent.id, 'support-bot', { variables: { name: 'Cy' } })
    expect(await prompts.systemPrompt(agent.id)).toBe('Hi Cy')
    await client.close()
  })

  it('are made of the title, and differ', async () => {
    const { client, prompts } = await openStore(create())
    for (const _title of [1, 2, 3]) await prompts.create({ title: 'Über  uns!', content: 'x' })
    const plain = await client.create(promptTemplateType, { title: 'By hand', fields: { content: 'x' } })
    const { items } = await prompts.list()
    expect(items.map(({ name }) => name)).toEqual(['uber-uns', 'uber-uns-2', 'uber-uns-3', null])
    expect((await prompts.find('uber-uns-2'))?.id).toBe(items[1]?.id)
    expect((await prompts.find(plain.id))?.id).toBe(plain.id)
    expect(await prompts.find('nobody')).toBeUndefined()
    expect((await prompts.list({ limit: 1 })).nextCursor).toBeDefined()
    expect((await prompts.list({ text: 'by ha' })).items).toHaveLength(1)
    await client.close()
  })

  it('belong to one prompt, and lead on after a prompt is renamed', async () => {
    const { client, prompts } = await openStore(create())
    const a = await prompts.create({ title: 'A', name: 'a', content: 'a' })
    const b = await prompts.create({ title: 'B', name: 'b', content: 'b' })
    for (const taking of [
      () => prompts.create({ title: 'C', name: 'a', content: 'c' }),
      () => prompts.rename('b', 'a'),
    ]) {
      await expect(taking()).rejects.toMatchObject({ code: 'NAME_TAKEN', details: { promptId: a.id } })
    }
    await prompts.rename('a', 'a2', { by: 'ada' })
    expect(await prompts.render('a')).toBe('a')
    expect(await prompts.render('a2')).toBe('a')
    // Who takes a name that was given up gets it; the redirect ends, until it is given up again.
    await prompts.rename('b', 'a')
    expect((await prompts.find('a'))?.id).toBe(b.id)
    expect((await prompts.find('b'))?.id).toBe(b.id)
    await prompts.rename('a', 'c')
    expect((await prompts.find('a'))?.id).toBe(b.id)
    await prompts.rename('a2', 'a')
    expect((await prompts.find('a'))?.id).toBe(a.id)
    await client.softDelete(a.id)
    expect(await prompts.find('a')).toBeUndefined()
    await expect(prompts.create({ title: 'D', name: 'a', content: 'd' })).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await client.hardDelete(a.id)
    // The other prompt had it too.
    expect((await prompts.find('a'))?.id).toBe(b.id)
    await prompts.create({ title: 'D', name: 'a', content: 'd' })
    expect(await prompts.render('a')).toBe('d')
    await client.close()
  })

  it('are refused where they could not be used', async () => {
    const { client, prompts } = await openStore(create())
    const { id } = await prompts.create({ title: 'P', content: 'x' })
    const version = await prompts.addVersion(id, { content: 'y' })
    for (const name of ['', 'Two Words', 'UPPER', '-a', 'a-', 'a//b', '../a', 'a'.repeat(101), 'ä', '{{a}}']) {
      await expect(prompts.create({ title: 'Q', name, content: 'x' })).rejects.toMatchObject({ code: 'NAME_INVALID' })
      await expect(prompts.rename(id, name)).rejects.toMatchObject({ code: 'NAME_INVALID' })
    }
    await expect(prompts.rename(version.id, 'fine')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect((await prompts.list()).items).toHaveLength(1)
    await client.close()
  })

  it('give way to ids', async () => {
    const { client, prompts } = await openStore(create())
    await prompts.create({ id: 'shared', title: 'By id', content: 'by id' })
    await prompts.create({ title: 'By name', name: 'shared', content: 'by name' })
    expect(await prompts.render('shared')).toBe('by id')
    const note = await client.create('note', { id: 'noted', title: 'n', fields: { content: 'n' } })
    await prompts.create({ title: 'N', name: 'noted', content: 'not the note' })
    expect(await prompts.render(note.id)).toBe('not the note')
    await client.close()
  })
})

it('names made of any title can be used', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      expect(isPromptName(nameFromTitle(title))).toBe(true)
      expect(isPromptName(nameFromTitle(title.repeat(50)))).toBe(true)
    }),
  )
})

it('names travel with bundles, and one that is taken refuses the bundle', async () => {
  const app = await createMinions({ storage: memoryStorage(), plugins: [prompts()] })
  await app.prompts.create({ title: 'P', name: 'support-bot', content: 'x' })
  await app.prompts.rename('support-bot', 'help-bot')
  const bundle: string[] = []
  for await (const line of app.exportBundle()) bundle.push(line)
  const target = await createMinions({ storage: memoryStorage(), plugins: [prompts()] })
  await target.importBundle(bundle)
  expect(await target.prompts.render('help-bot')).toBe('x')
  expect(await target.prompts.render('support-bot')).toBe('x')
  const taken = await createMinions({ storage: memoryStorage(), plugins: [prompts()] })
  await taken.prompts.create({ title: 'Q', name: 'help-bot', content: 'mine' })
  await expect(taken.importBundle(bundle)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
  expect(await taken.count()).toBe(1)
  for (const one of [app, target, taken]) await one.close()
})
