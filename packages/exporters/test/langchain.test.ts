import { PromptTemplate } from '@langchain/core/prompts'
import { PromptRenderer, type VariableType } from '@minions/prompts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LangChainPrompt, PromptExporter } from '../src/index.js'
import { contentOf, openStore } from './stores.js'

fc.configureGlobal({ seed: 20_240_119 })

const exporter = new PromptExporter()
const renderer = new PromptRenderer()

const format = (exported: LangChainPrompt, values: Record<string, unknown>) =>
  // LangChain's types know no null for the parser, which the documented format has.
  new PromptTemplate(exported as unknown as ConstructorParameters<typeof PromptTemplate>[0]).format(values)

const toLangChain = (content: string, variableTypes: Record<string, VariableType> = {}) =>
  exporter.toLangChain(contentOf(content), { variableTypes })

describe('LangChain', () => {
  it('gets the documented keys', () => {
    expect(toLangChain('Hi {{ name }}, {{other}}{{name}}')).toEqual({
      template: 'Hi {{name}}, {{other}}{{name}}',
      inputVariables: ['name', 'other'],
      outputParser: null,
      templateFormat: 'mustache',
    })
  })

  it.each([
    ['Hi {{name}}', { name: '{{x}} $& <b>&amp;</b> {y}' }],
    ['\\{{name}} is not {{name}}', { name: 'a' }],
    ['{ {{name}} } }} \\{{{ {x} \\{{{{name}}', { name: 'a' }],
    ['a\\{{\n\\{{#if x}}\n {{n}} \n', { n: 4.5 }],
    ['{{constructor}} {{toString}}', { constructor: 'c', toString: 't' }],
    ['{{#each list}}<{{this}}>{{/each}}', { list: ['a', '', '{{x}}'] }],
    ['{{#each list}}{{this}}{{else}}none{{/each}}', { list: [] }],
    [
      '{{#each rows}}{{a}}{{this.b}}{{outer}};{{/each}}',
      {
        rows: [
          { a: 1, b: true },
          { a: null, b: 'x' },
        ],
        outer: 'o',
      },
    ],
    ['{{#if yes}}a{{else}}b{{/if}}{{#if no}}a{{else}}b{{/if}}', { yes: true, no: false }],
    ['{{#each list}}{{#if yes}}{{this}}{{/if}}{{/each}}', { list: ['a', 'b'], yes: true }],
    ['Items:\n{{#each list}}\n- {{this}}\n{{/each}}\nDone.', { list: ['a', 'b'] }],
    ['Items:\r\n\t{{#each list}}\r\n- {{this}}\r\n  {{else}} \r\nnone{{/each}}  ', { list: [] }],
    ['a\n{{#if no}}\nb\n{{else}}\n{{#if yes}}\nc\n{{/if}}\n{{/if}}\nd', { yes: true, no: false }],
    ['{{#each rows}}\n  {{#if yes}}\n{{a}}\n  {{/if}}\n{{/each}}', { rows: [{ a: 1 }, { a: 2 }], yes: true }],
    ['a\n  {{#if yes}}{{/if}}', { yes: true }],
    ['C:\\\\{{a}} \\\\\\{{a}}', { a: 'x' }],
  ])('renders %j as we do', async (content, values) => {
    const exported = toLangChain(content, { yes: 'boolean', no: 'boolean', list: 'array' })
    expect(await format(exported, values)).toBe(renderer.render(String(content), values as Record<string, unknown>))
  })

  it.each([
    ['#if on an undeclared variable', '{{#if x}}a{{/if}}'],
    ['#if on a string', '{{#if text}}a{{/if}}'],
    ['#if on an item', '{{#each list}}{{#if this}}a{{/if}}{{/each}}'],
    ['#each over what is no list', '{{#each flag}}a{{/each}}'],
    ['#each inside #each', '{{#each list}}{{#each inner}}a{{/each}}{{/each}}'],
    ['@index', '{{#each list}}{{@index}}{{/each}}'],
    ['an inherited name inside #each', '{{#each list}}{{toString}}{{/each}}'],
    ['a name that LangChain refuses', '{{stop}}'],
    ['a name that breaks mustache', '{{hasOwnProperty}}'],
  ])('refuses %s', (_, content) => {
    const types = { flag: 'boolean', text: 'string', list: 'array' } as const
    expect(() => toLangChain(content, types)).toThrow(expect.objectContaining({ code: 'EXPORT_UNSUPPORTED' }))
  })

  it('renders every template that is not refused as we do', async () => {
    const text = fc.string({ unit: fc.constantFrom('x', ' ', '\n', '{', '}', '\\', '$', '&', '<', '%', '=', '.', 'é') })
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '{', '}', ' ', '\n', '$', '&') }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    )
    const { piece } = fc.letrec<{ piece: string; many: string }>((tie) => ({
      many: fc.array(tie('piece'), { maxLength: 4 }).map((parts) => parts.join('')),
      piece: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom('{{a}}', '{{ b }}', '\\{{', '\\{{a}}', '\\\\{{a}}'),
        tie('many').map((body) => `{{#if yes}}${body}{{/if}}`),
        tie('many').map((body) => `{{#if no}}${body}{{else}}${body}{{/if}}`),
        fc.tuple(text, tie('many')).map(([before, body]) => `{{#each list}}${before}{{this}}${body}{{/each}}`),
        tie('many').map((body) => `{{#each rows}}{{c}}${body}{{else}}${body}{{/each}}`),
      ),
    }))
    const template = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''))
    const data = fc.record(
      {
        a: value,
        b: value,
        yes: fc.constant(true),
        no: fc.constant(false),
        list: fc.array(fc.string({ unit: fc.constantFrom('a', ' ', '{') }), { maxLength: 3 }),
        rows: fc.array(fc.record({ a: value, c: value }, { noNullPrototype: true }), { maxLength: 3 }),
      },
      { noNullPrototype: true },
    )
    let exportedCount = 0
    await fc.assert(
      fc.asyncProperty(template, data, async (source, values) => {
        let exported: LangChainPrompt
        try {
          exported = toLangChain(source, { yes: 'boolean', no: 'boolean' })
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/TEMPLATE_INVALID|EXPORT_UNSUPPORTED/) })
          return
        }
        exportedCount += 1
        expect(await format(exported, values)).toBe(renderer.render(source, values as Record<string, unknown>))
      }),
      { numRuns: 1_500 },
    )
    expect(exportedCount).toBeGreaterThan(500)
  })

  it('renders blocks on lines of their own, whatever stands around them', async () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r\n'), maxLength: 3 })
    const { lines } = fc.letrec<{ lines: string; line: string }>((tie) => ({
      lines: fc.array(fc.tuple(tie('line'), space), { maxLength: 4 }).map((parts) => `\n${parts.flat().join('')}`),
      line: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('x', '{{a}}', '{ ', '\\{{'),
        fc.tuple(space, tie('lines')).map(([before, body]) => `${before}{{#if yes}}${body}{{/if}}`),
        tie('lines').map((body) => `{{#if no}}${body}{{else}}\n${body}{{/if}}`),
      ),
    }))
    const template = fc.array(
      fc.oneof(
        lines,
        space,
        fc.tuple(lines, space).map(([body, after]) => `{{#each list}}${body}{{this}}${after}{{/each}}${after}`),
        fc.tuple(lines, lines).map(([body, other]) => `{{#each rows}}\n${body}{{else}}${other}{{/each}}`),
      ),
      { maxLength: 4 },
    )
    const row = fc.record({ a: fc.constantFrom('', ' ', 'row') }, { noNullPrototype: true })
    const list = fc.array(fc.constantFrom('', ' ', 'item'), { maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(template, list, fc.array(row, { maxLength: 2 }), async (parts, items, rows) => {
        const [source, values] = [parts.join(''), { a: 'A', yes: true, no: false, list: items, rows }]
        const exported = toLangChain(source, { yes: 'boolean', no: 'boolean' })
        expect(await format(exported, values)).toBe(renderer.render(source, values))
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes the types of variables from the store', async () => {
    const { client, prompts, exporter: stored } = await openStore()
    const prompt = await prompts.create({ title: 'P', content: '{{#if loud}}!{{/if}}{{a}}' })
    await expect(stored.toLangChain(prompt.id)).rejects.toMatchObject({ code: 'EXPORT_UNSUPPORTED' })
    await prompts.variables.define(prompt.id, { name: 'loud', variableType: 'boolean', required: false })
    expect((await stored.toLangChain(prompt.id)).template).toBe('{{#loud}}!{{/loud}}{{a}}')
    await client.close()
  })
})
