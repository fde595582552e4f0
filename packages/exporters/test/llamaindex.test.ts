import { PromptTemplate } from '@llamaindex/core/prompts'
import { PromptRenderer } from '@minions/prompts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LlamaIndexPrompt, PromptExporter } from '../src/index.js'
import { contentOf } from './stores.js'

fc.configureGlobal({ seed: 20_240_120 })

const exporter = new PromptExporter()
const renderer = new PromptRenderer()
const toLlamaIndex = (content: string) => exporter.toLlamaIndex(contentOf(content))
const format = (exported: LlamaIndexPrompt, values: Record<string, string>) =>
  new PromptTemplate(exported).format(values)

describe('LlamaIndex', () => {
  it('gets the documented keys', () => {
    expect(toLlamaIndex('Hi {{name}}, {{ other }}{{name}}')).toEqual({
      template: 'Hi {name}, {other}{name}',
      templateVars: ['name', 'other'],
    })
  })

  it.each([
    'Answer as JSON, like { "name": "x" }, for {{name}}.',
    'Use { and {{name}} and }',
    '\\{{ {{name}} }}',
    '{}{{name}}{a:b}{0}{brace}',
    'open {\n{{name}}\n} close',
  ])('keeps the braces of %j', (content) => {
    const values = { name: 'Ada' }
    expect(format(toLlamaIndex(content), values)).toBe(renderer.render(String(content), values))
  })

  it('leaves braces alone that LlamaIndex does not look at', () => {
    expect(toLlamaIndex('} {{a}} {')).toEqual({ template: '} {a} {', templateVars: ['a'] })
  })

  it('reads values as template, which the README warns of', () => {
    const exported = toLlamaIndex('{{a}} {{b}}')
    expect(format(exported, { a: '{b}', b: 'B' })).toBe('B {b}')
    expect(format(exported, { a: '$&', b: 'B' })).toBe('{a} B')
  })

  it.each([
    ['#if', '{{#if x}}a{{/if}}'],
    ['#each', '{{#each x}}a{{/each}}'],
    ['literal text that looks like a variable', '{name} {{name}}'],
  ])('refuses %s', (_, content) => {
    expect(() => toLlamaIndex(content)).toThrow(expect.objectContaining({ code: 'EXPORT_UNSUPPORTED' }))
  })

  it('renders every template that is not refused as we do', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{{a}}',
        '{{ bb }}',
        '\\\\{{a}}',
        '\\{{',
        '{',
        '}',
        '{a}',
        '{x}',
        '{ "k": [1] }',
        '\n',
        '{:>5}',
        '{[x]}',
        '$',
      ),
      fc.string({ unit: fc.constantFrom('x', ' ', '"', ':', '0', 'é', '.', '}') }),
    )
    const template = fc.array(piece, { maxLength: 9 }).map((parts) => parts.join(''))
    // Values with braces and $ come out otherwise; see above.
    const value = fc.string({ unit: fc.constantFrom('v', ' ', '\n', '"', '}', '1') })
    let exportedCount = 0
    fc.assert(
      fc.property(template, value, value, (source, a, bb) => {
        let exported: LlamaIndexPrompt
        try {
          exported = toLlamaIndex(source)
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/TEMPLATE_INVALID|EXPORT_UNSUPPORTED/) })
          return
        }
        exportedCount += 1
        const values = Object.fromEntries(exported.templateVars.map((name) => [name, name === 'bb' ? bb : a]))
        expect(format(exported, values)).toBe(renderer.render(source, values))
      }),
      { numRuns: 1_500 },
    )
    expect(exportedCount).toBeGreaterThan(500)
  })
})
