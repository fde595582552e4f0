// @ts-check
import { expect, test } from 'vitest'
import { schemaDocument, schemaProblem } from '../schemas/document.mjs'

test('a document names its dialect and itself, and keeps the schema', () => {
  expect(schemaDocument('urn:minions:core:x', { $id: 'old', type: 'string' })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:minions:core:x',
    type: 'string',
  })
})

test('a schema that a strict validator refuses is a problem', () => {
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { type: 'string', format: 'uuid' }))).toBeUndefined()
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { type: 'text' }))).toContain('type')
  expect(schemaProblem(schemaDocument('urn:minions:core:x', { unheard: 1 }))).toContain('unheard')
})
