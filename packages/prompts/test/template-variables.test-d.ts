import { describe, expectTypeOf, it } from 'vitest'
import { compileTemplate, PromptRenderer, type TemplateVariables } from '../src/index.js'

const renderer = new PromptRenderer()

describe('a literal template', () => {
  it('asks for its variables by name', () => {
    renderer.render('Hi {{name}}', { name: 'Ada' })
    // @ts-expect-error the template has no variable "nam"
    renderer.render('Hi {{name}}', { nam: 1 })
    // @ts-expect-error "name" is missing
    renderer.render('Hi {{name}}', {})
    // @ts-expect-error "name" is missing
    renderer.render('Hi {{name}}')
    // @ts-expect-error the template has no variable "nam"
    renderer.render('Hi {{ name }}', { name: 1, nam: 1 })
    // @ts-expect-error the template has no variable "nam"
    compileTemplate('Hi {{name}}').render({ nam: 1 })
  })

  it('needs no variables when it has none', () => {
    renderer.render('Hi')
    renderer.render('Hi', {})
    renderer.render('Hi \\{{name}}')
    renderer.render('{{#if a}}x{{/if}}')
  })

  it('is escaped by an odd backslash only', () => {
    renderer.render('C:\\\\{{name}}', { name: 'Ada' })
    renderer.render('C:\\\\\\{{name}}')
    // @ts-expect-error two backslashes are one, and "name" is missing
    renderer.render('C:\\\\{{name}}', {})
    expectTypeOf<keyof TemplateVariables<'\\\\{{a}}\\\\\\{{b}}\\\\\\\\{{c}}'>>().toEqualTypeOf<'a' | 'c'>()
  })

  it('accepts gaps, but no strangers, in lenient mode', () => {
    renderer.render('{{a}} {{b}}', { a: 1 }, { strict: false })
    // @ts-expect-error the template has no variable "c"
    renderer.render('{{a}} {{b}}', { c: 1 }, { strict: false })
    // @ts-expect-error in strict mode "b" is missing
    renderer.render('{{a}} {{b}}', { a: 1 }, { strict: true })
  })

  it('takes names of blocks as optional', () => {
    type Blocks =
      TemplateVariables<'{{a}} {{#if\n b }}{{c}}{{else}}{{a}}{{/if}}{{#each d}}{{e}}{{this}}{{this.f}}{{@index}}{{/each}}{{ g }}'>
    expectTypeOf<Blocks>().toEqualTypeOf<
      { readonly a: unknown; readonly g: unknown } & {
        readonly b?: unknown
        readonly c?: unknown
        readonly d?: unknown
        readonly e?: unknown
      }
    >()
  })
})

describe('variables of unknown names', () => {
  it('fit any template', () => {
    const parsed: Record<string, unknown> = { name: 'Ada' }
    renderer.render('Hi {{name}}', parsed)
    renderer.render('Hi {{name}}', parsed, { strict: false })
  })
})

describe('any other template', () => {
  it('takes any record', () => {
    const template: string = 'Hi {{name}}'
    renderer.render(template, { nam: 1 })
    renderer.render(template)
    const pattern = `Hi ${template}` as const
    renderer.render(pattern, { whatever: 1 })
    expectTypeOf<TemplateVariables<string>>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
    expectTypeOf<TemplateVariables<'{{unclosed'>>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
  })
})

describe('a long template', () => {
  type Twice<T extends string> = `${T}${T}`
  type Ten<T extends string> = `${Twice<T>}${Twice<T>}${Twice<T>}${Twice<T>}${Twice<T>}`
  type Line = 'You are a helpful assistant; answer {{question}} with care and cite {{source}}.\n'

  it('is read to the end within the limit of tags', () => {
    expectTypeOf<keyof TemplateVariables<`${Ten<Line>}{{last}}`>>().toEqualTypeOf<'question' | 'source' | 'last'>()
  })

  it('takes any record beyond it, without exhausting the compiler', () => {
    expectTypeOf<TemplateVariables<Ten<Ten<Line>>>>().toEqualTypeOf<Readonly<Record<string, unknown>>>()
    expectTypeOf<TemplateVariables<Ten<Ten<'plain words without any tag at all. '>>>>().toEqualTypeOf<{} & {}>()
  })
})
