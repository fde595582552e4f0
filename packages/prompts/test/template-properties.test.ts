import fc from 'fast-check'
import Handlebars from 'handlebars'
import { describe, expect, it } from 'vitest'
import { compileTemplate, PromptRenderer, TemplateError } from '../src/index.js'

fc.configureGlobal({ seed: 20_240_115 })

const renderer = new PromptRenderer()
const names = ['a', 'b', 'name', 'items', 'this_', 'else1', '__proto__', 'constructor']
const name = fc.constantFrom(...names)

/** Pieces that make malformed, odd and well-formed templates likely. */
const fragment = fc.oneof(
  fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    '\\',
    '#if ',
    '#each ',
    '/if',
    '/each',
    'else',
    'this',
    'this.',
    '@index',
    ' ',
    '\n',
    '😀',
    '\ud800',
  ),
  name,
  name.map((n) => `{{${n}}}`),
  name.map((n) => `{{#if ${n}}}`),
  name.map((n) => `{{#each ${n}}}`),
  fc.constantFrom('{{/if}}', '{{/each}}', '{{else}}', '{{this}}', '{{@index}}', '{{this.a}}'),
  fc.string({ unit: 'grapheme' }),
)
const anyText = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''))

const text = fc.string({ unit: fc.constantFrom('x', ' ', '.', '$', '&', '}', "'", '<', '"', 'é', '😀') })

/** Well-formed templates; the flag says whether they stand inside `#each`. */
const { template: wellFormed } = fc.letrec<{ template: string; piece: string }>((tie) => ({
  template: fc.array(tie('piece'), { maxLength: 5 }).map((parts) => parts.join('')),
  piece: fc.oneof(
    { maxDepth: 4 },
    text,
    name.map((n) => `{{ ${n} }}`),
    fc.tuple(name, tie('template')).map(([n, body]) => `{{#if ${n}}}${body}{{/if}}`),
    fc
      .tuple(name, tie('template'), tie('template'))
      .map(([n, body, other]) => `{{#if ${n}}}${body}{{else}}${other}{{/if}}`),
    fc.tuple(name, tie('template')).map(([n, body]) => `{{#each ${n}}}${body}{{this}}{{@index}}{{/each}}`),
  ),
}))

describe('any text', () => {
  it('compiles or throws a TemplateError that points into it', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        try {
          compileTemplate(source)
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError)
          const { line, column } = error as TemplateError
          const location = [...(source.split('\n')[line - 1] ?? '')].slice(column - 1).join('')
          expect(location.startsWith('{{')).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('renders to itself once every {{ in it is escaped', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const escaped = source.replace(/(\\*)\{\{/g, '$1$1\\{{')
        expect(renderer.render(escaped, {})).toBe(source)
      }),
      { numRuns: 1_000 },
    )
  })

  it('stays as it is when it is data', () => {
    fc.assert(
      fc.property(anyText, anyText, (value, other) => {
        const variables = { value, other, list: [value, { value: other }] }
        expect(renderer.render('<{{value}}|{{other}}>', variables as never)).toBe(`<${value}|${other}>`)
        expect(renderer.render(String('{{#each list}}{{value}};{{/each}}'), variables)).toBe(`${value};${other};`)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('backslashes', () => {
  const pieces = fc.constantFrom('\\', '\\\\', '{{a}}', '{{', '{', 'a}}', '}', '.')
  const source = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))

  /** The rule as one replacement; undefined where a tag is left that is not `{{a}}`. */
  function model(template: string): { output: string; used: boolean } | undefined {
    let [used, malformed] = [false, false]
    const output = template.replace(/(\\*)\{\{(a\}\})?/g, (_, slashes: string, tag?: string) => {
      const kept = slashes.slice(slashes.length / 2)
      if (slashes.length % 2 === 1) return `${kept.slice(1)}{{${tag ?? ''}`
      used ||= tag !== undefined
      malformed ||= tag === undefined
      return `${kept}<value>`
    })
    return malformed ? undefined : { output, used }
  }

  it('before a tag are halved, and an odd one escapes it', () => {
    fc.assert(
      fc.property(source, (template) => {
        const expected = model(template)
        if (expected === undefined) {
          expect(() => compileTemplate(template)).toThrow(TemplateError)
          return
        }
        expect(renderer.render(template, { a: '<value>' })).toBe(expected.output)
        expect(renderer.extractVariables(template)).toEqual(expected.used ? ['a'] : [])
      }),
      { numRuns: 2_000 },
    )
  })

  it('do not move the position of an error', () => {
    expect(() => compileTemplate('a\n\\\\\\\\{{1}}')).toThrow(expect.objectContaining({ line: 2, column: 5 }))
  })
})

describe('extracted variables', () => {
  it('are enough to render in strict mode', () => {
    const value = fc.oneof(text, fc.constant(0), fc.constant([]), fc.constant(['x', 'y']), fc.constant(null))
    fc.assert(
      fc.property(
        wellFormed,
        fc.array(value, { minLength: names.length, maxLength: names.length }),
        (source, values) => {
          const variables = Object.fromEntries(names.map((n) => [n, undefined as unknown]))
          for (const extracted of renderer.extractVariables(source)) {
            setOwn(variables, extracted, values[names.indexOf(extracted)])
          }
          expect(renderer.render(source, completeItems(variables))).toBeTypeOf('string')
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('Handlebars', () => {
  /** Where both languages mean the same: text values, booleans as conditions, no tag alone on a line. */
  it('renders the same templates to the same text', () => {
    const plain = fc.constantFrom('x', 'yy', '{{a}}', '$&', '<b>')
    const data = fc.record(
      {
        a: plain,
        b: plain,
        yes: fc.constant(true),
        no: fc.constant(false),
        list: fc.array(plain, { maxLength: 3 }),
        rows: fc.array(fc.record({ a: plain, c: plain }, { noNullPrototype: true }), { maxLength: 3 }),
      },
      { noNullPrototype: true },
    )
    const piece = fc.letrec<{ many: string; one: string }>((tie) => ({
      many: fc.array(tie('one'), { minLength: 1, maxLength: 4 }).map((parts) => `.${parts.join('.')}.`),
      one: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('text', '{{a}}', '{{ b }}', '\\{{a}} ', '\\\\{{a}}', 'a "quoted" <tag>'),
        tie('many').map((body) => `{{#if yes}}${body}{{else}}-{{/if}}`),
        tie('many').map((body) => `{{#if no}}-{{else}}${body}{{/if}}`),
        fc.constant('{{#each list}}.{{this}}{{@index}}{{else}}none{{/each}}'),
        tie('many').map((body) => `{{#each rows}}.{{c}}{{this.a}}${body}{{else}}${body}{{/each}}`),
      ),
    })).many
    fc.assert(
      fc.property(piece, data, (source, variables) => {
        const expected = Handlebars.compile(source, { noEscape: true, compat: true })(variables)
        expect(renderer.render(source, variables)).toBe(expected)
      }),
      { numRuns: 150 },
    )
  })
})

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Lists get items that have every name, as a caller's items would. */
function completeItems(variables: Record<string, unknown>): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  for (const n of names) setOwn(item, n, 'item')
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(variables))
    setOwn(result, key, Array.isArray(value) ? value.map(() => item) : value)
  return result
}
