import { describe, expect, it } from 'vitest'
import { defineType, type FieldDefinition } from '../../src/index.js'
import { builtinTypes, LAYERS, minionTypeType, noteType, TypeRegistry } from '../../src/types/index.js'

const recipeType = defineType({
  id: 'recipe',
  name: 'Recipe',
  slug: 'recipe',
  schema: [{ name: 'method', type: 'textarea', required: true, defaultValue: 'Boil.' }],
})

const failure = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) })

describe('TypeRegistry', () => {
  it('starts with the ten built-in types, or with none', () => {
    expect(new TypeRegistry().list()).toEqual(builtinTypes)
    expect(new TypeRegistry(false).list()).toEqual([])
    expect(new TypeRegistry(false).getBySlug('note')).toBeUndefined()
  })

  it('conformance 6: supports note, link, file and contact', () => {
    const registry = new TypeRegistry()
    for (const slug of ['note', 'link', 'file', 'contact']) {
      expect(registry.getBySlug(slug)?.id).toBe(`builtin-${slug}`)
      expect(registry.getById(`builtin-${slug}`)?.slug).toBe(slug)
    }
  })

  it('finds a registered type by id and slug', () => {
    const registry = new TypeRegistry()
    const registered = registry.register(recipeType)
    expect(registered).toEqual(recipeType)
    expect(registry.getById('recipe')).toBe(registered)
    expect(registry.getBySlug('recipe')).toBe(registered)
    expect(registry.has('recipe')).toBe(true)
    expect(registry.list().at(-1)).toBe(registered)
  })

  it('finds nothing under the names of inherited properties', () => {
    const registry = new TypeRegistry()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(registry.getById(name)).toBeUndefined()
      expect(registry.getBySlug(name)).toBeUndefined()
      expect(registry.has(name)).toBe(false)
    }
  })

  it('keeps frozen copies', () => {
    const source = { ...recipeType, name: 'Recipe', schema: [...recipeType.schema] as FieldDefinition[] }
    const registry = new TypeRegistry(false)
    const registered = registry.register(source)
    source.name = 'Changed'
    source.schema.push({ name: 'more', type: 'string' })
    expect(registry.getById('recipe')).toEqual(recipeType)
    expect(Object.isFrozen(registered)).toBe(true)
    expect(Object.isFrozen(registered.schema)).toBe(true)
    expect(Object.isFrozen(registered.schema[0])).toBe(true)
  })

  it('refuses a duplicate id or slug', () => {
    const registry = new TypeRegistry()
    registry.register(recipeType)
    expect(() => registry.register({ ...recipeType, slug: 'other' })).toThrow(
      failure('ALREADY_REGISTERED', 'already registered'),
    )
    expect(() => registry.register({ ...recipeType, id: 'other' })).toThrow(
      failure('ALREADY_REGISTERED', 'already registered'),
    )
    expect(() => registry.register(noteType)).toThrow(failure('ALREADY_REGISTERED'))
    expect(() => registry.register({ ...recipeType, id: 'x', slug: 'minion-type' })).toThrow(
      failure('ALREADY_REGISTERED'),
    )
    expect(registry.list()).toHaveLength(11)
  })

  it('refuses an unusable type and lists all that is wrong with it', () => {
    const type = {
      id: '../x',
      slug: 'No Slug',
      icon: 7,
      schema: [
        { name: 'a', type: 'text' },
        { name: 'b', type: 'string', validation: { pattern: '(' } },
      ],
    }
    expect.assertions(2)
    try {
      new TypeRegistry().register(type as never)
    } catch (error) {
      expect(error).toEqual(failure('INVALID_TYPE'))
      const { errors } = (error as { details: { errors: { pointer: string }[] } }).details
      expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
        '/icon',
        '/id',
        '/name',
        '/schema/0/type',
        '/schema/1/validation/pattern',
        '/slug',
      ])
    }
  })

  it('refuses what is not a type at all', () => {
    for (const type of [
      null,
      undefined,
      42,
      'note',
      [],
      {},
      { ...recipeType, schema: 'x' },
      { ...recipeType, schema: undefined },
      { ...recipeType, description: 'a\0' },
      Object.create(recipeType),
    ]) {
      expect(() => new TypeRegistry().register(type as never)).toThrow(failure('INVALID_TYPE'))
    }
  })

  it('decision 1.8: refuses an unusable pattern', () => {
    const type = { ...recipeType, schema: [{ name: 'a', type: 'string' as const, validation: { pattern: '[' } }] }
    expect(() => new TypeRegistry().register(type)).toThrow(failure('INVALID_TYPE', 'pattern'))
  })

  it('decision 1.18: slugs are kebab-case', () => {
    for (const slug of ['a', 'a1', 'meeting-note', '2-b-3']) {
      expect(new TypeRegistry(false).register({ ...recipeType, slug }).slug).toBe(slug)
    }
    for (const slug of ['', 'A', 'a_b', '-a', 'a-', 'a--b', 'ä', 'a b', 'a\n']) {
      expect(() => new TypeRegistry(false).register({ ...recipeType, slug })).toThrow(failure('INVALID_TYPE'))
    }
  })

  it('removes a type', () => {
    const registry = new TypeRegistry()
    registry.register(recipeType)
    expect(registry.remove('recipe')).toBe(true)
    expect(registry.remove('recipe')).toBe(false)
    expect(registry.getBySlug('recipe')).toBeUndefined()
    expect(registry.register(recipeType)).toEqual(recipeType)
  })

  it('decision 1.18: system types cannot be removed', () => {
    const registry = new TypeRegistry()
    expect(() => registry.remove('builtin-note')).toThrow(failure('PROTECTED'))
    expect(() => registry.remove(minionTypeType.id)).toThrow(failure('PROTECTED'))
    expect(registry.has('builtin-note')).toBe(true)
  })

  it('decision 1.20: a type takes over a slug only by saying so, and the old one keeps its id', () => {
    const registry = new TypeRegistry()
    const newer = { ...recipeType, id: 'minions-prompts/prompt-template', slug: 'prompt-template' }
    expect(() => registry.register(newer)).toThrow(failure('ALREADY_REGISTERED'))
    registry.register(newer, { takesSlugOf: 'builtin-prompt-template' })
    expect(registry.getBySlug('prompt-template')?.id).toBe(newer.id)
    expect(registry.getById('builtin-prompt-template')?.slug).toBe('prompt-template')
    const third = { ...newer, id: 'third' }
    expect(() => registry.register(third, { takesSlugOf: 'builtin-prompt-template' })).toThrow(
      failure('ALREADY_REGISTERED'),
    )
    expect(() => registry.register(third, { takesSlugOf: 'nobody' })).toThrow(failure('NOT_FOUND'))
    expect(() => registry.register(third, { takesSlugOf: 'builtin-note' })).toThrow(failure('INVALID_TYPE'))
    expect(registry.remove(newer.id)).toBe(true)
    expect(registry.getBySlug('prompt-template')?.id).toBe('builtin-prompt-template')
  })

  it('replaces a type by its evolved form', () => {
    const registry = new TypeRegistry()
    registry.register(recipeType)
    const evolved = registry.replace({ ...recipeType, schema: [] })
    expect(registry.getBySlug('recipe')).toBe(evolved)
    expect(evolved.schema).toEqual([])
    expect(() => registry.replace({ ...recipeType, id: 'unknown' })).toThrow(failure('NOT_FOUND'))
    expect(() => registry.replace({ ...recipeType, slug: 'other' })).toThrow(failure('INVALID_TYPE', 'slug'))
  })

  it('knows the layers', () => {
    const registry = new TypeRegistry()
    expect(LAYERS.map((layer) => registry.listByLayer(layer).map((type) => type.slug))).toEqual([
      ['agent'],
      ['team'],
      ['thought'],
      ['prompt-template'],
      ['test-case'],
      ['task'],
    ])
    expect(registry.layerOf('builtin-agent')).toBe('definition')
    expect(registry.layerOf('builtin-note')).toBeUndefined()
    registry.register(recipeType, { layer: 'memory' })
    expect(registry.listByLayer('memory').map((type) => type.slug)).toEqual(['thought', 'recipe'])
  })

  it('decision 1.25: finds minion-type when asked for it, and does not list it', () => {
    const registry = new TypeRegistry()
    expect(registry.getBySlug('minion-type')).toBe(minionTypeType)
    expect(registry.getById('builtin-minion-type')).toBe(minionTypeType)
    expect(registry.list()).not.toContain(minionTypeType)
  })
})
