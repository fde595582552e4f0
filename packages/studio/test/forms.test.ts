import { MinionsError } from '@minions/client'
import { describe, expect, it } from 'vitest'
import { isTouched } from '../web/data/areas.ts'
import { formErrors } from '../web/forms/errors.ts'
import { defaultsOf, kindOf, labelOf, withoutNull } from '../web/forms/schema.ts'
import { schemaOfType } from '../web/forms/type-schema.ts'
import { essentialEdges } from '../web/pages/missions/essential-edges.ts'
import { formValue, patchOf } from '../web/pages/objects/object-schema.ts'

describe('a schema decides how a value is entered', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', widget: 'lines' }, 'lines'],
    [{ enum: ['a', 'b'] }, 'choice'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'choice'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'choices'],
    [{ type: 'array', items: { type: 'string' } }, 'words'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'boolean' }, 'yes-no'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'object', properties: { a: {} } }, 'group'],
    [{ type: 'object' }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
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
