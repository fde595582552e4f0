import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { promptTemplateType as corePromptTemplateType } from '@minions/core/types'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import { describe, expect, it } from 'vitest'
import { PromptChain, PromptScorer, PromptsApi, promptPluginTypes, prompts, promptTemplateType } from '../src/index.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts()] })

describe('the plugin', () => {
  it('adds the namespace and takes the slug over, while the core type stays', async () => {
    const app = await open()
    expect(app.prompts).toBeInstanceOf(PromptsApi)
    expect(app.types.get('prompt-template')?.id).toBe(promptTemplateType.id)
    expect(app.types.get(corePromptTemplateType.id)?.slug).toBe('prompt-template')
    const ours = await app.prompts.create({ title: 'P', content: 'a' })
    const core = await app.create(corePromptTemplateType, { title: 'C', fields: { template: 'b' } })
    expect((await app.find({ type: 'prompt-template' })).items.map(({ id }) => id)).toEqual([ours.id])
    await expect(app.prompts.addVersion(core.id, { content: 'x' })).rejects.toMatchObject({
      code: 'PROMPT_TYPE_MISMATCH',
    })
    await app.close()
  })

  it('is part of transactions, with other writes', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'P', content: 'a' })
    const failing = app.transaction(async (tx) => {
      await tx.prompts.addVersion(prompt.id, { content: 'b' })
      await tx.create('note', { title: 'n', fields: { content: 'n' } })
      expect(await tx.prompts.history(prompt.id)).toHaveLength(2)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await app.prompts.history(prompt.id)).toHaveLength(1)
    expect(await app.count()).toBe(1)
    const version = await app.transaction((tx) => tx.prompts.addVersion(prompt.id, { content: 'b' }))
    expect((await new PromptChain(app).getLatestVersion(prompt.id)).id).toBe(version.id)
    const test = await app.prompts.tests.create(prompt.id, { inputVariables: {} })
    const result = await new PromptScorer(app).score(version.id, test.id, { scores: {}, passed: true })
    expect(await app.prompts.tests.results(test.id)).toEqual([result])
    await app.close()
  })

  it('lets no malformed template, default value or score into the store, whoever writes it', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'P', content: 'a' })
    const version = { title: 'V', fields: { content: 'fine\n{{#if a}}' } }
    await expect(app.create('prompt-version', version)).rejects.toMatchObject({ code: 'TEMPLATE_INVALID', line: 2 })
    await expect(app.update(prompt.id, { fields: { content: '{{' } })).rejects.toMatchObject({
      code: 'TEMPLATE_INVALID',
    })
    const variable = { title: 'n', fields: { variableType: 'number', required: false, defaultValue: 'many' } }
    await expect(app.create('prompt-variable', variable)).rejects.toMatchObject({ code: 'VARIABLE_INVALID' })
    for (const title of ['this', 'else', 'two words', '1st']) {
      const named = { title, fields: { variableType: 'string', required: true } }
      await expect(app.create('prompt-variable', named)).rejects.toMatchObject({ code: 'VARIABLE_INVALID' })
    }
    const result = { title: 'R', fields: { renderedPrompt: 'a', scores: { tone: 250 }, passed: true } }
    await expect(app.create('prompt-result', result)).rejects.toMatchObject({ code: 'SCORES_INVALID' })
    expect((await app.find({})).items).toEqual([prompt])
    await app.close()
  })

  it('lets no declared variable be renamed to what a template cannot name', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'P', content: '{{a}}' })
    const variable = await app.prompts.variables.define(prompt.id, { name: 'a' })
    const message =
      '"else" is not a variable name (letters, digits and _, not starting with a digit; this and else are reserved).'
    await expect(app.update(variable.id, { title: 'else' })).rejects.toMatchObject({
      code: 'VARIABLE_INVALID',
      message,
    })
    expect((await app.update(variable.id, { title: 'b' })).title).toBe('b')
    await app.close()
  })

  it('leaves what was stored malformed before it was installed changeable otherwise', async () => {
    const storage = sqliteStorage({ path: join(mkdtempSync(join(tmpdir(), 'minions-')), 'store.db') })
    const before = await Minions.open({ storage, types: promptPluginTypes })
    const { id } = await before.create('prompt-version', { title: 'V', fields: { content: '{{' } })
    await before.close()
    const app = await createMinions({ storage, plugins: [prompts()] })
    expect(await app.update(id, { title: 'W' })).toMatchObject({ title: 'W' })
    expect(await app.update(id, { fields: { content: 'mended' } })).toMatchObject({ fields: { content: 'mended' } })
    await app.close()
  })
})
