import { describe, expect, it } from 'vitest'
import { promptVariableType, RendererError } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('variables on %s', (_, create) => {
  it('are declared once by name, with their prompt', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}} {{b}}' })
    const a = await prompts.variables.define(prompt.id, { name: 'a', description: 'First' })
    expect(a).toMatchObject({ title: 'a', minionTypeId: promptVariableType.id })
    expect(a.fields).toEqual({ variableType: 'string', required: true, description: 'First' })
    await prompts.variables.define(prompt.id, { name: 'b', variableType: 'number', defaultValue: 2 })
    const again = await prompts.variables.define(prompt.id, { name: 'a', variableType: 'array', defaultValue: ['x'] })
    expect(again.id).toBe(a.id)
    expect(again.fields).toEqual({ variableType: 'array', required: false, defaultValue: '["x"]' })
    const version = await prompts.addVersion(prompt.id, { content: 'x' })
    for (const id of [prompt.id, version.id]) {
      expect((await prompts.variables.list(id)).map(({ title }) => title)).toEqual(['a', 'b'])
    }
    await client.close()
  })

  it.each([
    ['a name with a dash', { name: 'a-b' }],
    ['a reserved name', { name: 'this' }],
    ['an unknown type', { name: 'a', variableType: 'date' }],
    ['a number as the default of a string', { name: 'a', defaultValue: 3 }],
    ['an empty default', { name: 'a', defaultValue: '' }],
    ['a default that is no JSON', { name: 'a', variableType: 'number', defaultValue: 'three' }],
    ['a default of another type', { name: 'a', variableType: 'object', defaultValue: '[]' }],
    ['null as the default of a boolean', { name: 'a', variableType: 'boolean', defaultValue: 'null' }],
  ])('refuse %s', async (_case, input) => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}}' })
    await expect(prompts.variables.define(prompt.id, input as never)).rejects.toMatchObject({
      code: 'VARIABLE_INVALID',
    })
    expect(await prompts.variables.list(prompt.id)).toEqual([])
    await client.close()
  })

  it('give their defaults to rendering and check what they are given', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({
      title: 'P',
      content: '{{name}} {{count}} {{#if loud}}!{{/if}}{{#each items}}{{this}},{{/each}}',
    })
    await prompts.variables.define(prompt.id, { name: 'name' })
    await prompts.variables.define(prompt.id, { name: 'count', variableType: 'number', defaultValue: 3 })
    await prompts.variables.define(prompt.id, { name: 'loud', variableType: 'boolean', required: false })
    await prompts.variables.define(prompt.id, { name: 'items', variableType: 'array', defaultValue: '["a","b"]' })
    await prompts.variables.define(prompt.id, { name: 'extra', variableType: 'object', required: false })
    expect(await prompts.render(prompt.id, { name: 'Ada' })).toBe('Ada 3 a,b,')
    expect(await prompts.render(prompt.id, { name: 'Ada', count: 0, loud: true, items: [] })).toBe('Ada 0 !')
    expect(await prompts.render(prompt.id, { name: '', count: null })).toBe(' 3 a,b,')
    const version = await prompts.addVersion(prompt.id, { content: '{{count}}{{name}}' })
    expect(await prompts.render(version.id, { name: 'x' })).toBe('3x')

    const missing = await prompts.render(prompt.id, { name: null }, { strict: false }).catch((reason) => reason)
    expect(missing).toBeInstanceOf(RendererError)
    expect(missing.missingVariables).toEqual(['name'])
    const unfit = await prompts.render(prompt.id, { name: 1, count: '3', loud: 'yes', extra: [] }).catch((e) => e)
    expect(unfit).toMatchObject({ code: 'VARIABLE_INVALID', details: { errors: expect.any(Array) } })
    expect(unfit.details.errors).toHaveLength(4)
    await expect(prompts.render(prompt.id, 'Ada' as never)).rejects.toMatchObject({ code: 'VARIABLE_INVALID' })
    await client.close()
  })

  it('are looked up among own properties only', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{constructor}}{{__proto__}}' })
    await prompts.variables.define(prompt.id, { name: '__proto__', defaultValue: 'p' })
    await expect(prompts.render(prompt.id, {})).rejects.toMatchObject({ missingVariables: ['constructor'] })
    expect(await prompts.render(prompt.id, { constructor: 'c' })).toBe('cp')
    expect(await prompts.render(prompt.id, JSON.parse('{"constructor":"c","__proto__":"own"}'))).toBe('cown')
    await client.close()
  })

  it('can belong to a version, where they go before the prompt’s', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}}' })
    await prompts.variables.define(prompt.id, { name: 'a', defaultValue: 'prompt' })
    const version = await prompts.addVersion(prompt.id, { content: '{{a}}' })
    const own = await client.create(promptVariableType, {
      title: 'a',
      fields: { variableType: 'string', required: false, defaultValue: 'version' },
    })
    await client.link({ sourceId: own.id, targetId: version.id, type: 'part_of' })
    expect(await prompts.render(prompt.id)).toBe('prompt')
    expect(await prompts.render(version.id)).toBe('version')
    await client.softDelete(own.id)
    expect(await prompts.render(version.id)).toBe('prompt')
    await client.close()
  })
})

describe.each(backends)('lint on %s', (_, create) => {
  it('finds every kind of problem, and none once they are solved', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}}{{#each rows}}{{b}}{{/each}}' })
    await prompts.variables.define(prompt.id, { name: 'b', required: false })
    const unused = await prompts.variables.define(prompt.id, { name: 'unused', required: false })
    const version = await prompts.addVersion(prompt.id, { content: '{{a}}{{c}}{{#each rows}}{{b}}{{/each}}' })
    const rules = async () =>
      (await prompts.lint(prompt.id)).map(({ rule, variable }) => (variable ? `${rule} ${variable}` : rule)).sort()
    expect(await rules()).toEqual([
      'missing-changelog',
      'missing-test',
      'shadowed-variable b',
      'undeclared-variable a',
      'undeclared-variable c',
      'undeclared-variable rows',
      'unused-variable unused',
    ])
    const test = await prompts.tests.create(prompt.id, { inputVariables: { a: 'x' }, scoringDimensions: ['tone'] })
    expect(await rules()).toContain('test-lacks-variable c')
    expect(await rules()).toContain('few-dimensions')
    expect(await rules()).not.toContain('missing-test')

    await client.softDelete(unused.id)
    await client.softDelete(test.id)
    await client.update(version.id, {
      fields: { changelog: 'adds c', content: '{{a}}{{c}}{{#each rows}}{{this.b}}{{/each}}' },
    })
    await prompts.publish(version.id)
    await prompts.tests.create(prompt.id, {
      inputVariables: { a: 'x', c: 'y', rows: [] },
      scoringDimensions: ['tone', 'length'],
    })
    for (const name of ['a', 'c']) await prompts.variables.define(prompt.id, { name })
    await prompts.variables.define(prompt.id, { name: 'rows', variableType: 'array', required: false })
    expect(await rules()).toEqual(['unused-variable b'])
    await client.softDelete((await prompts.variables.list(prompt.id))[0]?.id ?? '')
    expect(await rules()).toEqual([])
    expect(await prompts.lint(version.id)).toEqual([])
    await client.close()
  })

  it('checks a draft as if it were the next version, and stores nothing', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{a}}' })
    await prompts.variables.define(prompt.id, { name: 'a' })
    await prompts.tests.create(prompt.id, { inputVariables: { a: 'x' } })
    const found = async (draft?: string) => {
      const problems = await prompts.lint(prompt.id, draft === undefined ? {} : { draft })
      return problems.flatMap(({ rule, variable }) => (variable ? [`${rule} ${variable}`] : []))
    }
    expect(await found()).toEqual([])
    expect(await found('{{b}}')).toEqual(['undeclared-variable b', 'unused-variable a', 'test-lacks-variable b'])
    expect(await found('{{a}}!')).toEqual([])
    await expect(found('{{#if a}}')).rejects.toMatchObject({ code: 'TEMPLATE_INVALID' })
    expect(await prompts.history(prompt.id)).toHaveLength(1)
    await client.close()
  })

  it('checks a draft of a chat prompt as messages', async () => {
    const { client, prompts } = await openStore(create())
    const { id } = await prompts.create({ title: 'P', messages: [{ role: 'user', content: 'Hi' }] })
    const rules = (await prompts.lint(id, { draft: '[user]\nHi\n\n[system]\nBe brief.' })).map(({ rule }) => rule)
    expect(rules).toContain('late-system-message')
    await expect(prompts.lint(id, { draft: 'Hi' })).rejects.toMatchObject({ code: 'MESSAGES_INVALID' })
    await client.close()
  })

  it('tests what is published when no version is left', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: '{{old}}' })
    const version = await prompts.addVersion(prompt.id, { content: '{{new}}' })
    await prompts.publish(version.id)
    await client.softDelete(version.id)
    await prompts.tests.create(prompt.id, { inputVariables: { new: 1 } })
    expect((await prompts.lint(prompt.id)).map(({ rule }) => rule)).not.toContain('test-lacks-variable')
    await client.close()
  })
})
