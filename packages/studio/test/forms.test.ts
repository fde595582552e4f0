import { MinionsError } from '@minions/client'
import { describe, expect, it } from 'vitest'
import { isTouched } from '../web/data/areas.ts'
import { formErrors } from '../web/forms/errors.ts'
import { defaultsOf, kindOf, labelOf, without, withoutNull } from '../web/forms/schema.ts'
import { schemaOfType } from '../web/forms/type-schema.ts'
import { essentialEdges } from '../web/pages/missions/essential-edges.ts'
import { formValue, patchOf } from '../web/pages/objects/object-schema.ts'
import { objectsQuery } from '../web/pages/objects/objects-query.ts'
import { relationEdges } from '../web/pages/objects/relation-edges.ts'
import { layerNodes } from '../web/parts/graph/layers.ts'

describe('a schema decides how a value is entered', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', widget: 'lines' }, 'lines'],
    [{ enum: ['a', 'b'] }, 'choice'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'choice'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
    [{ type: 'array', items: { type: 'string' } }, 'words'],
    [{ type: 'array', items: { type: 'string' }, examples: [['crm']] }, 'words'],
    [{ type: 'array', items: { type: 'string' }, examples: [['Yes, of course.']] }, 'list'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'boolean' }, 'yes-no'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'object', properties: { a: {} } }, 'group'],
    [{ type: 'object' }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'text'],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, 'json'],
    [{}, 'json'],
  ] as const)('%j: %s', (schema, kind) => {
    expect(kindOf(schema)).toBe(kind)
  })

  it('a value that may be null is entered as what else it may be', () => {
    const schema = { anyOf: [{ enum: ['low', 'high'] }, { type: 'null' }], description: 'How urgent' }
    expect(withoutNull(schema)).toMatchObject({ enum: ['low', 'high'], description: 'How urgent' })
    expect(kindOf(withoutNull(schema))).toBe('choice')
  })

  it('defaults fill the form', () => {
    const properties = { scopes: { default: ['read'] }, kind: { const: 'x' }, name: { type: 'string' } }
    expect(defaultsOf({ type: 'object', properties })).toEqual({ scopes: ['read'], kind: 'x' })
  })

  it('what the page knows is not asked for', () => {
    const schema = { properties: { prompt: {}, label: {} }, required: ['prompt', 'label'] }
    expect(without(schema, ['prompt'])).toEqual({ properties: { label: {} }, required: ['label'] })
  })

  it('names become labels', () => {
    expect(labelOf('ifRevision')).toBe('If revision')
    expect(labelOf('user_goal')).toBe('User goal')
    expect(labelOf('role', { label: 'role' })).toBe('role')
  })
})

describe('a type becomes a form', () => {
  it('with an input for each field', () => {
    const schema = schemaOfType({
      schema: [
        { name: 'author', type: 'string', required: true, label: 'Written by' },
        { name: 'genre', type: 'select', options: ['novel', 'poem'] },
        { name: 'notes', type: 'textarea' },
        { name: 'extra', type: 'json' },
      ],
    })
    expect(schema.required).toEqual(['author'])
    const kinds = Object.entries(schema.properties ?? {}).map(([name, property]) => kindOf(property, name))
    expect(kinds).toEqual(['text', 'choice', 'lines', 'json'])
  })
})

describe('what is sent is what was changed', () => {
  const minion = {
    id: 'a',
    title: 'Plan',
    minionTypeId: 'note',
    fields: { content: 'One', size: 2 },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    tags: ['x'],
  }

  it('nothing for a form that is as it was', () => {
    expect(patchOf(minion, formValue(minion))).toEqual({})
  })

  it('null for what was emptied, and only the fields that differ', () => {
    const { tags: _tags, ...value } = formValue(minion)
    expect(patchOf(minion, { ...value, fields: { content: 'Two' } })).toEqual({
      tags: null,
      fields: { content: 'Two', size: null },
    })
  })
})

it('errors of an operation are shown beside the values they are about', () => {
  const errors = [
    { pointer: '/fields/content', code: 'required', message: 'is required' },
    { pointer: '/a~1b', code: 'type', message: 'must be a string' },
  ]
  const error = new MinionsError('VALIDATION_FAILED', 'No', { details: { errors } })
  expect(formErrors(error)).toEqual({ 'fields.content': 'It is required.', 'a/b': 'It must be a string.' })
  expect(formErrors(new Error('x'))).toEqual({})
})

it('a change refreshes the areas that it may touch, and every area that is not known', () => {
  expect(isTouched('objects.find', 'minions')).toBe(true)
  expect(isTouched('missions.list', 'minions')).toBe(false)
  expect(isTouched('missions.status', 'colony_task_runs')).toBe(true)
  expect(isTouched('reports.list', 'minions')).toBe(true)
  expect(isTouched('operations.list', 'minions')).toBe(false)
})

it('a graph leaves out what follows from other dependencies, and ends on a cycle', () => {
  const task = (task_id: string, ...depends_on: string[]) => ({ task_id, depends_on })
  const tasks = [task('a'), task('b', 'a'), task('c', 'a', 'b'), task('d', 'a', 'b', 'c')]
  expect(essentialEdges(tasks)).toEqual([
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'd' },
  ])
  expect(essentialEdges([task('a', 'b'), task('b', 'a')])).toHaveLength(2)
})

it('the address of the objects page is a query', () => {
  const newest = [{ field: 'createdAt', direction: 'desc' }]
  expect(objectsQuery({})).toEqual(['objects.find', { orderBy: newest, limit: 50 }])
  expect(objectsQuery({ type: 'note', tag: 'x', status: 'todo', order: 'title', deleted: 'yes' })).toEqual([
    'objects.find',
    {
      type: 'note',
      tags: ['x'],
      status: ['todo'],
      includeDeleted: true,
      orderBy: [{ field: 'title', direction: 'asc' }],
      limit: 50,
    },
  ])
  expect(objectsQuery({ q: 'pier' })).toEqual(['objects.search', { text: 'pier', limit: 50 }])
})

it('two objects have one edge between them, whatever relates them', () => {
  const relation = (sourceId: string, type: string, targetId: string) => {
    return { id: `${sourceId}${type}`, sourceId, type, targetId, createdAt: '2026-01-01T00:00:00.000Z' }
  }
  const relations = [relation('a', 'follows', 'b'), relation('b', 'part_of', 'a'), relation('a', 'blocks', 'b')]
  expect(relationEdges([...relations, relation('a', 'blocks', 'c'), relation('c', 'blocks', 'c')])).toEqual([
    { from: 'a', to: 'b', label: 'follows, ← part_of, blocks' },
    { from: 'a', to: 'c', label: 'blocks' },
  ])
})

describe('a large graph is laid out in layers', () => {
  const options = { width: 10, height: 4, rankGap: 5, nodeGap: 1 }
  const edgesOf = (...pairs: string[]) => pairs.map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }))

  it('each node behind all that lead to it', () => {
    const locations = layerNodes(['d', 'c', 'b', 'a'], edgesOf('ab', 'bd', 'ac', 'cd', 'ad'), options)
    expect(Object.fromEntries(locations)).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 15, y: expect.any(Number) },
      c: { x: 15, y: expect.any(Number) },
      d: { x: 30, y: 0 },
    })
    expect(Math.abs((locations.get('b')?.y ?? 0) - (locations.get('c')?.y ?? 0))).toBe(5)
  })

  it('also with a cycle, a node by itself, and an edge from nowhere', () => {
    expect([...layerNodes(['a', 'b', 'c'], edgesOf('ab', 'ba', 'aa', 'xc'), options).keys()].sort()).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('and as long as the graph is', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `n${index}`)
    const edges = ids.slice(1).map((to, index) => ({ from: `n${index}`, to }))
    expect(layerNodes(ids.toReversed(), edges, options).get('n19999')).toEqual({ x: 19_999 * 15, y: 0 })
  })
})
