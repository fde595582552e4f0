import type { Minion } from '@minions/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CORE_PROMPT_TEMPLATE_ID, fromCoreTemplate, promptTypes, toCoreTemplate } from '../src/index.js'

fc.configureGlobal({ seed: 20_240_117 })

describe('the five types', () => {
  it('have the ids, slugs and fields of the specification', () => {
    const shape = promptTypes.map(({ id, slug, schema }) => ({
      id,
      slug,
      fields: schema.map(
        (field) => `${field.name} ${field.type}${'required' in field && field.required ? ' required' : ''}`,
      ),
    }))
    expect(shape).toEqual([
      {
        id: 'minions-prompts/prompt-template',
        slug: 'prompt-template',
        fields: ['content textarea required', 'description string', 'variables tags', 'tags tags'],
      },
      {
        id: 'minions-prompts/prompt-version',
        slug: 'prompt-version',
        fields: [
          'content textarea required',
          'description string',
          'versionNumber number',
          'changelog string',
          'variables tags',
          'tags tags',
        ],
      },
      {
        id: 'minions-prompts/prompt-variable',
        slug: 'prompt-variable',
        fields: [
          'variableType select required',
          'description string',
          'defaultValue string',
          'required boolean required',
          'example string',
        ],
      },
      {
        id: 'minions-prompts/prompt-test',
        slug: 'prompt-test',
        fields: ['inputVariables json required', 'expectedCriteria textarea', 'scoringDimensions tags'],
      },
      {
        id: 'minions-prompts/prompt-result',
        slug: 'prompt-result',
        fields: [
          'renderedPrompt textarea required',
          'output textarea',
          'scores json required',
          'metadata json',
          'passed boolean required',
        ],
      },
    ])
    expect(promptTypes[2].schema[0].options).toEqual(['string', 'number', 'boolean', 'array', 'object'])
  })
})

describe('converter', () => {
  const core: Minion = {
    id: 'p-1',
    title: 'Greeting',
    minionTypeId: CORE_PROMPT_TEMPLATE_ID,
    fields: { template: 'Hi {{name}}', variables: ['name'], outputFormat: 'markdown' },
    createdAt: '2024-01-15T10:30:00.000Z',
    updatedAt: '2024-01-15T10:30:00.000Z',
    tags: ['x'],
    _legacy: { old: 1 },
  }

  it('moves the text and keeps the rest', () => {
    const prompt = fromCoreTemplate(core)
    expect(prompt).toEqual({
      ...core,
      minionTypeId: 'minions-prompts/prompt-template',
      fields: { content: 'Hi {{name}}', variables: ['name'], outputFormat: 'markdown' },
    })
    expect(toCoreTemplate(prompt)).toEqual(core)
  })

  it('loses nothing either way, whatever fields there are', () => {
    const name = fc.oneof(fc.constantFrom('template', 'content', 'description', 'tags', '__proto__'), fc.string())
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (fields) => {
        const minion = { ...core, fields }
        expect(toCoreTemplate(fromCoreTemplate(minion))).toEqual(minion)
        const prompt = { ...minion, minionTypeId: 'minions-prompts/prompt-template' }
        expect(fromCoreTemplate(toCoreTemplate(prompt))).toEqual(prompt)
      }),
    )
  })

  it('refuses minions of other types', () => {
    expect(() => toCoreTemplate(core)).toThrow(expect.objectContaining({ code: 'PROMPT_TYPE_MISMATCH' }))
    expect(() => fromCoreTemplate({ ...core, minionTypeId: 'builtin-note' })).toThrow(/builtin-note/)
  })
})
