import { createMinion } from '@minions/core'
import { agentType } from '@minions/core/types'
import { describe, expect, it } from 'vitest'
import {
  PromptChain,
  PromptDiff,
  PromptRenderer,
  promptPluginTypes,
  promptTypes,
  promptVersionType,
  RendererError,
} from '../src/index.js'
import { backends, openStore } from './stores.js'

const renderer = new PromptRenderer()

/** The checklist of the specification, a test a row; its row on export formats is in `@minions/exporters`. */
describe.each(backends)('conformance on %s', (_, create) => {
  it('implements all five minion types with the exact field schemas', async () => {
    const { client } = await openStore(create())
    for (const type of promptTypes) {
      expect(client.types.get(type.slug)?.id).toBe(type.id)
      expect(client.types.get(type.id)?.schema).toEqual(type.schema)
    }
    expect(promptTypes.map(({ schema }) => schema.map(({ name }) => name).join(' '))).toEqual([
      'content description variables tags',
      'content description versionNumber changelog variables tags',
      'variableType description defaultValue required example',
      'inputVariables expectedCriteria scoringDimensions',
      'renderedPrompt output scores metadata passed',
    ])
    expect(promptPluginTypes).toHaveLength(5)
    await client.close()
  })

  it('supports {{variable}} interpolation with validation of required variables', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'Hi {{ name }}' })
    await prompts.variables.define(prompt.id, { name: 'tone', required: true })
    expect(await prompts.render(prompt.id, { name: 'Ada', tone: 'kind' })).toBe('Hi Ada')
    await expect(prompts.render(prompt.id, {})).rejects.toMatchObject({ missingVariables: ['tone', 'name'] })
    await client.close()
  })

  it('supports {{#if}} and {{#each}} template blocks', () => {
    const template = '{{#if on}}on{{/if}}{{#each items}} {{this}}{{/each}}{{#each users}} {{name}}:{{role}}{{/each}}'
    const values = { on: true, items: ['a', 'b'], users: [{ name: 'Ada', role: 'x' }] }
    expect(renderer.render(template, values)).toBe('on a b Ada:x')
    expect(renderer.render(template, { on: false, items: [], users: [] })).toBe('')
  })

  it('traverses follows relations to reconstruct full version chains', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'b' })
    const v2 = await client.create(promptVersionType, { title: 'P', fields: { content: 'c' } })
    await client.link({ sourceId: v2.id, targetId: v1.id, type: 'follows' })
    const chain = await new PromptChain(client).getVersionChain(prompt.id)
    expect(chain.map(({ id }) => id)).toEqual([prompt.id, v1.id, v2.id])
    await client.close()
  })

  it('produces DiffResult objects', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'a', description: 'gone' })
    const version = await prompts.addVersion(prompt.id, { content: 'b' })
    expect(new PromptDiff().diff(prompt, version)).toEqual({
      added: [{ field: 'versionNumber', value: 1 }],
      removed: [{ field: 'description', value: 'gone' }],
      changed: [{ field: 'content', from: 'a', to: 'b' }],
      contentDiff: [
        { type: 'remove', text: 'a' },
        { type: 'add', text: 'b' },
      ],
    })
    await client.close()
  })

  it('serializes minions to camelCase JSON', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}}' })
    const version = await prompts.addVersion(prompt.id, { content: '{{a}}', changelog: 'x' })
    const test = await prompts.tests.create(prompt.id, { inputVariables: { a: 1 }, scoringDimensions: ['tone'] })
    const result = await prompts.tests.run(version.id, test.id, { scores: { tone: 1 }, passed: true })
    const variable = await prompts.variables.define(prompt.id, { name: 'a', variableType: 'number' })
    const sdk = Object.keys(createMinion({ title: 'x' }, agentType).minion)
    for (const minion of [prompt, version, test, result, variable]) {
      expect(JSON.parse(JSON.stringify(minion))).toEqual(minion)
      const keys = [...Object.keys(minion), ...Object.keys(minion.fields)]
      expect(keys.filter((key) => !/^[a-z][a-zA-Z]*$/.test(key))).toEqual([])
      expect(Object.keys(minion)).toEqual(expect.arrayContaining(sdk))
    }
    await client.close()
  })

  it('raises a clear error when required variables are missing during rendering', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}} {{b}}' })
    const error = await prompts.render(prompt.id).catch((reason) => reason)
    expect(error).toBeInstanceOf(RendererError)
    expect(error.message).toMatch(/a, b/)
    expect(error.missingVariables).toEqual(['a', 'b'])
    await client.close()
  })
})
