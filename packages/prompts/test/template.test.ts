import { isMinionsError } from '@minions/core'
import { describe, expect, it } from 'vitest'
import { compileTemplate, MAX_TEMPLATE_DEPTH, PromptRenderer, RendererError, TemplateError } from '../src/index.js'
import { TemplateCache } from '../src/template/template-cache.js'

const renderer = new PromptRenderer()
const loose = (template: string): string => template

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('errors', () => {
  it('says where a template is malformed and shows the place', () => {
    const error = thrownBy(() => compileTemplate('Dear reader,\nyour {{order no}} is ready'))
    expect(error).toBeInstanceOf(TemplateError)
    expect(isMinionsError(error, 'TEMPLATE_INVALID')).toBe(true)
    expect(error).toMatchObject({ name: 'TemplateError', line: 2, column: 6, excerpt: 'your {{order no}} is ready' })
    expect((error as TemplateError).message).toContain('line 2, column 6')
    expect((error as TemplateError).details).toMatchObject({ line: 2, column: 6 })
  })

  it('keeps the excerpt of a long line short', () => {
    const error = thrownBy(() => compileTemplate(`${'a'.repeat(5000)}{{!}}${'b'.repeat(5000)}`)) as TemplateError
    expect(error.column).toBe(5001)
    expect(error.excerpt).toContain('{{!}}')
    expect(error.excerpt.length).toBeLessThan(120)
  })

  it('names every missing variable once, in one error', () => {
    const error = thrownBy(() =>
      renderer.render(
        loose('{{a}}{{#each list}}{{b}}{{/each}}{{c}}'),
        { c: 1, list: [{}, {}] },
        { requiredVariables: ['z'] },
      ),
    )
    expect(error).toBeInstanceOf(RendererError)
    expect(isMinionsError(error, 'VARIABLES_MISSING')).toBe(true)
    expect((error as RendererError).missingVariables).toEqual(['z', 'a', 'b'])
  })

  it('takes undefined for missing and null for a value', () => {
    expect(() => renderer.render('{{a}}', { a: undefined })).toThrow(RendererError)
    expect(renderer.render('{{a}}', { a: null }, { requiredVariables: ['a'] })).toBe('')
  })

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['a circular object', circular()],
    [
      'an object that cannot be written',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
  ])('refuses %s with a typed error', (_, value) => {
    expect(thrownBy(() => renderer.render('{{value}}', { value }))).toMatchObject({
      name: 'RendererError',
      code: 'VARIABLE_INVALID',
      details: { variable: 'value' },
    })
  })

  it('refuses what is no template and what are no variables', () => {
    expect(() => compileTemplate(7 as never)).toThrow(TemplateError)
    expect(() => compileTemplate(null as never)).toThrow(TemplateError)
    expect(() => renderer.render('{{a}}', [] as never)).toThrow(RendererError)
    expect(() => renderer.render('{{a}}', 'a' as never)).toThrow(RendererError)
  })
})

describe('own properties only', () => {
  it('never sees the prototype, of variables or of items', () => {
    class Base {
      get secret(): string {
        return 'leak'
      }
    }
    expect(() => renderer.render('{{secret}}', new Base())).toThrow(RendererError)
    expect(() => renderer.render('{{#each xs}}{{secret}}{{/each}}', { xs: [new Base()] })).toThrow(RendererError)
    expect(renderer.render('{{#if constructor}}x{{else}}y{{/if}}', {})).toBe('y')
  })

  it('sees own properties with inherited names, and objects without prototype', () => {
    expect(renderer.render(loose('{{__proto__}}{{toString}}'), JSON.parse('{"__proto__":"p","toString":"t"}'))).toBe(
      'pt',
    )
    expect(renderer.render(loose('{{a}}'), Object.assign(Object.create(null), { a: 1 }))).toBe('1')
  })
})

describe('limits', () => {
  const nested = (depth: number): string => `${'{{#if a}}'.repeat(depth)}x${'{{/if}}'.repeat(depth)}`

  it('nests to the documented depth and refuses more', () => {
    expect(renderer.render(nested(MAX_TEMPLATE_DEPTH), { a: 1 })).toBe('x')
    expect(thrownBy(() => compileTemplate(nested(MAX_TEMPLATE_DEPTH + 1)))).toMatchObject({ code: 'TEMPLATE_INVALID' })
    expect(() => compileTemplate(nested(200_000))).toThrow(TemplateError)
  })

  it.each([
    ['many tags', '{{a}} '.repeat(200_000)],
    ['many escapes', '\\{{'.repeat(200_000)],
    ['many stray ends', '}}'.repeat(400_000)],
    ['a tag of spaces', `{{${' '.repeat(500_000)}a${' '.repeat(500_000)}}}`],
    ['backslashes', `${'\\'.repeat(500_000)}{{a}}`],
  ])('takes linear time on %s', (_, template) => {
    expect(renderer.render(template, { a: '1' })).toBeTypeOf('string')
  })

  it.each([
    ['unclosed tags', '{{ '.repeat(300_000)],
    ['a tag that never ends', `{{${' '.repeat(900_000)}`],
    ['a name that never fits', `{{${'a '.repeat(300_000)}}}`],
  ])('refuses %s in linear time', (_, template) => {
    expect(() => renderer.render(template)).toThrow(TemplateError)
  })
})

describe('compiled templates', () => {
  it('are compiled once', () => {
    expect(compileTemplate('{{once}}')).toBe(compileTemplate('{{once}}'))
  })

  it('list their variables and render', () => {
    const template = compileTemplate('{{#each items}}{{this}}{{/each}} for {{name}}')
    expect(template.variables).toEqual(['items', 'name'])
    expect(template.render({ items: ['a', 'b'], name: 'Ada' })).toBe('ab for Ada')
    expect(() => (template.variables as string[]).push('x')).toThrow(TypeError)
  })

  it('keep nothing of an earlier rendering', () => {
    const template = compileTemplate('{{a}}{{b}}')
    expect(() => template.render({ a: 1 } as never)).toThrow('b')
    expect(template.render({ a: 1, b: 2 })).toBe('12')
  })

  it('work where generating code is forbidden', () => {
    const { Function: original } = globalThis
    globalThis.Function = (() => {
      throw new EvalError('forbidden')
    }) as never
    try {
      expect(renderer.render('{{#each xs}}{{this}} under a policy{{/each}}', { xs: [1] })).toBe('1 under a policy')
    } finally {
      globalThis.Function = original
    }
  })

  it('are kept in a cache that stays bounded and drops the least recently used', () => {
    let created = 0
    const cache = new TemplateCache((source) => ({ source, number: created++ }))
    const first = cache.get('first')
    for (let index = 0; index < 2_000; index++) {
      cache.get(`template ${index}`)
      expect(cache.get('first')).toBe(first)
    }
    expect(cache.size).toBe(500)
    cache.get('template 0')
    expect(created).toBe(2_002)
    const long = 'x'.repeat(300_000)
    expect(cache.get(long)).not.toBe(cache.get(long))
  })
})

function circular(): object {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}
