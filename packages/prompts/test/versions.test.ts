import { agentType } from '@minions/core/types'
import { describe, expect, it } from 'vitest'
import { PromptsApi, TemplateError } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('versions on %s', (_, create) => {
  it('have exactly the fields of the specification, mirrored where an attribute has the same name', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create(
      { title: 'Greeting', content: 'Hi {{name}}{{#if x}}!{{/if}}', description: 'Greets', tags: ['a', 'b'] },
      { by: 'ada' },
    )
    expect(prompt).toMatchObject({
      title: 'Greeting',
      minionTypeId: 'minions-prompts/prompt-template',
      description: 'Greets',
      tags: ['a', 'b'],
      createdBy: 'ada',
    })
    expect(prompt.fields).toEqual({
      content: 'Hi {{name}}{{#if x}}!{{/if}}',
      description: 'Greets',
      variables: ['name', 'x'],
      tags: ['a', 'b'],
    })
    const version = await prompts.addVersion(
      prompt.id,
      { content: 'Hello {{who}}', changelog: 'Friendlier' },
      { by: 'eve' },
    )
    expect(version.title).toBe('Greeting')
    expect(version.createdBy).toBe('eve')
    expect(version.fields).toEqual({
      content: 'Hello {{who}}',
      versionNumber: 1,
      changelog: 'Friendlier',
      variables: ['who'],
    })
    const follows = await client.relations(version.id, { direction: 'outgoing', type: 'follows' })
    expect(follows).toMatchObject([{ targetId: prompt.id, createdBy: 'eve' }])
    expect(await client.get(version.id)).toEqual(version)
    await client.close()
  })

  it('keep fields and attributes in step when they are updated', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a', description: 'x', tags: ['t'] })
    const updated = await prompts.update(prompt.id, { title: 'Q', description: 'y', tags: null })
    expect(updated).toMatchObject({ title: 'Q', description: 'y', fields: { content: 'a', description: 'y' } })
    expect(updated.tags).toBeUndefined()
    expect(updated.fields.tags).toBeUndefined()
    await expect(prompts.update(prompt.id, { content: 'b' } as object)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await client.close()
  })

  it('never store a malformed template', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'fine' })
    const count = await client.count()
    for (const content of ['a\n  {{#if x}}', '{{', '{{#each a}}{{/if}}', '{{1}}']) {
      const error = await prompts.addVersion(prompt.id, { content }).catch((reason) => reason)
      expect(error).toBeInstanceOf(TemplateError)
      expect(error).toMatchObject({ code: 'TEMPLATE_INVALID', line: expect.any(Number), column: expect.any(Number) })
      await expect(prompts.create({ title: 'Q', content })).rejects.toBeInstanceOf(TemplateError)
      await expect(prompts.proposeVersion(prompt.id, { content }, { by: 'agent' })).rejects.toBeInstanceOf(
        TemplateError,
      )
    }
    for (const content of ['', undefined, 7, 'lone \ud800']) {
      await expect(prompts.addVersion(prompt.id, { content: content as string })).rejects.toMatchObject({
        code: expect.stringMatching(/TEMPLATE_INVALID|VALIDATION_FAILED/),
      })
    }
    expect(await client.count()).toBe(count)
    expect(await prompts.history(prompt.id)).toHaveLength(1)
    await client.close()
  })

  it('of two people who add one at once both succeed, as branches', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const contents = ['one', 'two', 'three']
    const added = await Promise.all(contents.map((content) => prompts.addVersion(prompt.id, { content })))
    expect(added.map(({ fields }) => fields.versionNumber)).toEqual([2, 2, 2])
    const branches = await prompts.branches(prompt.id)
    expect(branches.map(({ fields }) => fields.content).sort()).toEqual([...contents].sort())
    expect(await client.relations(v1.id, { direction: 'incoming', type: 'follows' })).toHaveLength(3)
    await client.close()
  })

  it('take part in a transaction, whole or not at all', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const failing = client.transaction(async (tx) => {
      const inside = new PromptsApi(tx)
      await inside.addVersion(prompt.id, { content: 'b' })
      const second = await inside.addVersion(prompt.id, { content: 'c' })
      expect(second.fields.versionNumber).toBe(2)
      await inside.publish(prompt.id)
      await inside.tests.create(prompt.id, { inputVariables: {} })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await prompts.history(prompt.id)).toHaveLength(1)
    expect(await prompts.render(prompt.id)).toBe('a')
    expect(await prompts.tests.list(prompt.id)).toEqual([])
    await client.close()
  })

  it('cannot be added to a deleted prompt', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    await client.softDelete(prompt.id)
    await expect(prompts.addVersion(prompt.id, { content: 'b' })).rejects.toMatchObject({ code: 'DELETED' })
    await expect(prompts.render(prompt.id)).rejects.toMatchObject({ code: 'DELETED' })
    await client.close()
  })

  it('are compared by diff', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a\nb' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'a\nc', changelog: 'x' })
    const diff = await prompts.diff(prompt.id, v1.id)
    expect(diff.changed.map(({ field }) => field)).toEqual(['content'])
    expect(diff.added.map(({ field }) => field).sort()).toEqual(['changelog', 'versionNumber'])
    expect(diff.contentDiff).toEqual([
      { type: 'context', text: 'a' },
      { type: 'remove', text: 'b' },
      { type: 'add', text: 'c' },
    ])
    expect(await prompts.diff(v1.id, v1.id)).toEqual({ added: [], removed: [], changed: [], contentDiff: [] })
    await client.close()
  })
})

describe.each(backends)('publishing on %s', (_, create) => {
  it('copies a version to the prompt, and rolling back an older one; nothing is lost', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'zero', description: 'first' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'one {{x}}', description: 'second' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'two' })
    expect(await prompts.render(prompt.id)).toBe('zero')
    expect((await prompts.published(prompt.id)).id).toBe(prompt.id)

    const published = await prompts.publish(v1.id, { by: 'ada' })
    expect(published).toMatchObject({ id: prompt.id, description: 'second', updatedBy: 'ada' })
    expect(published.fields).toEqual({ content: 'one {{x}}', description: 'second', variables: ['x'] })
    expect((await prompts.publish(prompt.id)).fields.content).toBe('two')
    expect((await prompts.published(v1.id)).id).toBe(v2.id)

    expect((await prompts.rollback(prompt.id)).fields.content).toBe('one {{x}}')
    expect((await prompts.rollback(prompt.id)).fields).toMatchObject({ content: 'zero', description: 'first' })
    await expect(prompts.rollback(prompt.id)).rejects.toMatchObject({ code: 'NOTHING_PUBLISHED' })
    expect((await prompts.publish(prompt.id, 2)).fields.content).toBe('two')
    expect((await prompts.rollback(prompt.id, v1.id)).fields.content).toBe('one {{x}}')
    expect((await prompts.rollback(prompt.id, 0)).fields.content).toBe('zero')
    expect((await prompts.rollback(v1.id)).fields.content).toBe('one {{x}}')
    expect(await prompts.history(prompt.id)).toHaveLength(3)
    expect((await prompts.latest(prompt.id)).id).toBe(v2.id)
    await client.close()
  })

  it('refuses versions of other prompts, unknown and ambiguous ones', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const other = await prompts.create({ title: 'Q', content: 'q' })
    const foreign = await prompts.addVersion(other.id, { content: 'r' })
    await prompts.addVersion(prompt.id, { content: 'b' })
    await prompts.addVersion((await prompts.history(prompt.id))[0]?.id ?? '', { content: 'c' })
    await expect(prompts.publish(prompt.id, foreign.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(prompts.publish(prompt.id, 9)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const v1 = await prompts.history(prompt.id)
    await client.transaction(async (tx) => {
      const inside = new PromptsApi(tx)
      await inside.addVersion(v1[1]?.id ?? '', { content: 'branch' })
    })
    await expect(prompts.rollback(prompt.id, 2)).rejects.toMatchObject({ code: 'VERSION_AMBIGUOUS' })
    expect(await prompts.render(prompt.id)).toBe('a')
    await client.close()
  })

  it('takes the beginning of an id for a version, if no other of the prompt begins so', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const other = await prompts.create({ title: 'Q', content: 'q' })
    await prompts.addVersion(prompt.id, { id: 'monday-1', content: 'b' })
    await prompts.addVersion(prompt.id, { id: 'monday-2', content: 'c' })
    await prompts.addVersion(other.id, { id: 'tuesday-1', content: 'r' })
    await client.softDelete('monday-2')
    const version = (text: string) => prompts.get({ prompt: prompt.id, version: text })
    expect(await version('mond')).toMatchObject({ id: 'monday-1' })
    await expect(version('mon')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(version('tues')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await client.restore('monday-2')
    await expect(version('monday')).rejects.toMatchObject({
      code: 'VERSION_AMBIGUOUS',
      message: expect.stringContaining('give more of the id'),
    })
    expect(await version('monday-2')).toMatchObject({ fields: { content: 'c' } })
    await client.close()
  })

  it('is recorded as a proposal until it happens, and reaches the agents that are bound', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'System', content: 'You are {{role}}. Today is {{day}}.' })
    await prompts.variables.define(prompt.id, { name: 'role', defaultValue: 'kind' })
    const agent = await client.create(agentType, { title: 'Agent', fields: { systemPrompt: 'own' } })
    expect(await prompts.systemPrompt(agent.id)).toBe('own')
    const bound = await prompts.bindAgent(agent.id, prompt.id)
    expect(bound.fields.systemPrompt).toBe('You are kind. Today is {{day}}.')

    const proposal = await prompts.proposeVersion(prompt.id, { content: 'You are very {{role}}.' }, { by: agent.id })
    expect(proposal.createdBy).toBe(agent.id)
    expect(await prompts.systemPrompt(agent.id)).toBe('You are kind. Today is {{day}}.')
    expect((await client.get(prompt.id))?.updatedAt).toBe(prompt.updatedAt)

    await prompts.publish(proposal.id)
    expect((await client.get(agent.id))?.fields.systemPrompt).toBe('You are very kind.')
    await prompts.bindAgent(agent.id, prompt.id, { variables: { role: 'strict' } })
    expect(await prompts.systemPrompt(agent.id)).toBe('You are very strict.')
    await prompts.rollback(prompt.id)
    expect((await client.get(agent.id))?.fields.systemPrompt).toBe('You are strict. Today is {{day}}.')
    expect(await prompts.unbindAgent(agent.id)).toBe(true)
    expect(await prompts.unbindAgent(agent.id)).toBe(false)
    await prompts.publish(proposal.id)
    expect(await prompts.systemPrompt(agent.id)).toBe('You are strict. Today is {{day}}.')
    await client.close()
  })

  it('refuses anonymous proposals and bindings of what is no agent or no prompt', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const agent = await client.create(agentType, { title: 'Agent' })
    await expect(prompts.proposeVersion(prompt.id, { content: 'b' }, {} as never)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await expect(prompts.bindAgent(prompt.id, prompt.id)).rejects.toMatchObject({ code: 'PROMPT_TYPE_MISMATCH' })
    await expect(prompts.bindAgent(agent.id, agent.id)).rejects.toMatchObject({ code: 'PROMPT_TYPE_MISMATCH' })
    await expect(prompts.bindAgent('nobody', prompt.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await client.close()
  })
})
