// @ts-check
// Data inserted into a template is text: it is never read as template, here or after an export.

import { PromptTemplate } from '@langchain/core/prompts'
import { PromptExporter } from '@minions/exporters'
import { compileTemplate } from '@minions/prompts'
import { expect, it } from 'vitest'

const payloads = [
  '{{secret}}',
  '{{{secret}}}',
  '{{#if secret}}yes{{/if}}',
  '{{#each list}}{{this}}{{/each}}',
  '{{/if}}',
  '\\{{secret}}',
  '{secret}',
  `\${secret}`,
  '<%= secret %>',
  "{{constructor.constructor('return process')()}}",
  '{% raw %}',
]
const secret = 'TOP-SECRET'

it.each(payloads)('%s comes out as it went in', (payload) => {
  const values = { data: payload, list: [payload], secret }
  expect(compileTemplate('<{{data}}>').render(values)).toBe(`<${payload}>`)
  expect(compileTemplate('{{#each list}}<{{this}}>{{/each}}').render(values)).toBe(`<${payload}>`)
  expect(compileTemplate('{{#if data}}<{{data}}>{{/if}}').render(values)).toBe(`<${payload}>`)
})

it.each(payloads)('%s stays data after an export to LangChain', async (payload) => {
  const prompt = { id: 'x', title: 't', fields: { content: 'say {{data}}.' } }
  const exported = new PromptExporter().toLangChain(/** @type {never} */ (prompt))
  const template = new PromptTemplate(/** @type {never} */ (exported))
  expect(await template.format({ data: payload })).toBe(`say ${payload}.`)
})

it('a template that is cut off or nested without end is refused, never run', () => {
  const codes = ['{{', '{{#if', '{{#if a}}', '{{/if}}', '{{#if a}}'.repeat(5000)].map((source) => {
    try {
      compileTemplate(source)
      return 'compiled'
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown'
    }
  })
  expect(codes.filter((code) => code !== 'compiled' && !code.includes('TemplateError'))).toEqual([])
  expect(codes.at(-1)).not.toBe('compiled')
})
