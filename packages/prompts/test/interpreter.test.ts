import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate, type TemplateNode } from '../src/index.js'

fc.configureGlobal({ seed: 20_260_301 })

/** An interpreter without any of the shortcuts of the compiled template: what a rendering means, written out. */
function interpret(nodes: readonly TemplateNode[], scopes: readonly Surroundings[], strict: boolean): Rendering {
  const missing = new Set<string>()
  const [inner] = scopes
  const resolve = (reference: Named): unknown => {
    if (reference.kind === 'index') return inner?.index
    if (reference.kind === 'this') return inner?.item ?? null
    const searched = reference.kind === 'name' ? scopes : scopes.slice(0, 1)
    return searched.map(({ item }) => ownValue(item, reference.name)).find((value) => value !== undefined)
  }
  const nested = (body: readonly TemplateNode[], within = scopes): string => {
    const { output, missing: names } = interpret(body, within, strict)
    for (const name of names) missing.add(name)
    return output
  }
  const texts = nodes.map((node): string => {
    switch (node.type) {
      case 'text':
        return node.text
      case 'placeholder': {
        const value = resolve(node.reference)
        if (value !== undefined) return value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
        if (!strict) return node.raw
        missing.add(node.reference.kind === 'property' ? `this.${node.reference.name}` : nameOf(node.reference))
        return ''
      }
      case 'if':
        return nested(isFilled(resolve(node.condition)) ? node.body : (node.otherwise ?? []))
      case 'each': {
        const list = resolve(node.list)
        if (!Array.isArray(list) || list.length === 0) return nested(node.otherwise ?? [])
        return Array.from(list, (item, index) => nested(node.body, [{ item, index }, ...scopes])).join('')
      }
      default:
        throw new Error('the templates here include no others')
    }
  })
  return { output: texts.join(''), missing: [...missing] }
}

interface Surroundings {
  readonly item: unknown
  readonly index: number
}

interface Rendering {
  readonly output: string
  readonly missing: readonly string[]
}

type Named = Extract<TemplateNode, { type: 'placeholder' }>['reference']

function nameOf(reference: Named): string {
  return 'name' in reference ? reference.name : reference.kind
}

function ownValue(item: unknown, name: string): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  return Object.getOwnPropertyNames(item).includes(name) ? Reflect.get(item, name) : undefined
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) {
    return ![null, Object.prototype].includes(Object.getPrototypeOf(value)) || Object.keys(value).length > 0
  }
  return value === 0 || value === 0 || Boolean(value)
}

const names = ['a', 'b', 'list', '__proto__', 'constructor', 'toString', 'length']
const name = fc.constantFrom(...names)
const { template } = fc.letrec<{ template: string; piece: string }>((tie) => ({
  template: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('text', '\n', '<&"$&', '\\{{a}}', '😀'),
    name.map((n) => `{{${n}}}`),
    fc.tuple(name, tie('template'), tie('template')).map(([n, yes, no]) => `{{#if ${n}}}${yes}{{else}}${no}{{/if}}`),
    fc.tuple(fc.constantFrom('list', 'a'), name, tie('template')).map(([list, n, body]) => {
      return `{{#each ${list}}}{{${n}}},{{this.${n}}}{{#if ${n}}}{{this}}{{/if}}${body}{{@index}}{{else}}none{{/each}}`
    }),
  ),
}))

/** Objects of every make: with own and inherited properties, with getters, with few of the names or with all. */
const plain = fc.oneof(
  fc.constantFrom<unknown>('', 'x', '{{a}}', '<b>', 0, -1, Number.NaN, true, false, null, undefined, [], {}),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const holder = fc
  .tuple(
    fc.array(fc.tuple(name, plain, fc.boolean()), { maxLength: 6 }),
    fc.constantFrom<object | null>(Object.prototype, null, { a: 'inherited', list: ['inherited'] }, Map.prototype),
  )
  .map(([entries, prototype]) => {
    const object: object = Object.create(prototype)
    for (const [key, value, isGetter] of entries) {
      const how = isGetter ? { get: () => value } : { value, writable: true }
      Object.defineProperty(object, key, { ...how, enumerable: true, configurable: true })
    }
    return object
  })
const item = fc.oneof({ weight: 3, arbitrary: holder }, plain)

/** Lists of a size at which engines and loops change what they do, of a few different items in turn. */
function listOf(size: number): fc.Arbitrary<unknown[]> {
  return fc
    .array(item, { minLength: 1, maxLength: 20 })
    .map((items) => Array.from({ length: size }, (_, index) => items[index % items.length]))
}

describe('a compiled template renders what the interpreter does', () => {
  it.each([
    [0, 100],
    [1, 200],
    [2, 200],
    [16, 100],
    [17, 100],
    [100, 40],
    [1_000, 10],
  ])('with lists of %i', (size, numRuns) => {
    const variables = fc.tuple(holder, listOf(size), listOf(Math.min(size, 3))).map(([others, rows, list]) => {
      for (const [key, value] of Object.entries({ rows, list })) {
        Object.defineProperty(others, key, { value, enumerable: true, configurable: true })
      }
      return others
    })
    // Only the outermost list is long: one inside the other, they would be long to the power of their depth.
    const rows = template.map((body) => `{{#each rows}}${body}{{a}}{{/each}}`)
    fc.assert(
      fc.property(rows, variables, fc.boolean(), (source, values, strict) => {
        const compiled = compileTemplate(source)
        const { output, missing } = interpret(compiled.nodes, [{ item: values, index: 0 }], strict)
        const render = () => compiled.render(values as never, { strict })
        if (missing.length === 0) expect(render()).toBe(output)
        else expect(render).toThrow(expect.objectContaining({ missingVariables: missing }))
      }),
      { numRuns },
    )
  })
})

describe('an object that cannot be read', () => {
  const thrown = new Error('thrown by a getter')
  const getter = {
    get a(): string {
      throw thrown
    },
  }
  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()

  it.each([
    ['a getter that throws', getter],
    ['a revoked proxy', revoked],
    ['a proxy whose trap throws', new Proxy({}, { getOwnPropertyDescriptor: () => getter.a as never })],
  ])('is refused where it is read, however far into a list: %s', (_, unreadable) => {
    const list: unknown[] = [...Array.from({ length: 5_000 }, () => ({ a: 'x' })), unreadable]
    const refused = { name: 'MinionsError', code: 'VALIDATION_FAILED' }
    const render = () => compileTemplate('{{#each list}}{{a}}{{/each}}').render({ list } as never)
    expect(render).toThrow(expect.objectContaining(refused))
    expect(compileTemplate('{{#each list}}{{@index}}{{/each}}').render({ list } as never)).toContain('4999')
  })
})
