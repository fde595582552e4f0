import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ArtifactName, validateArtifact } from '../src/index.js'
import { optionalFields, requiredFields } from './support/contract-table.js'
import { artifactNames, at, edit, example, type Json } from './support/edit.js'

/** Objects whose members the contracts leave open; nothing below them has a rule. */
const open = /^(?:context_refs|constraints|structured_output|recommended_output|approved_output|payload)\//

interface Location {
  readonly name: ArtifactName
  readonly path: string
}

const locations = artifactNames.flatMap((name) => pathsOf(example(name)).map((path): Location => ({ name, path })))
const ruled = locations.filter(({ path }) => !open.test(path) && !path.startsWith('schema_'))
const properties = ruled.filter(({ path }) => !/\/\d+$/.test(path))
const objects = locations.filter(({ name, path }) => isObject(at(example(name), `/${path}`)))

const values = [null, true, 17.5, 'text that is no id', [], {}, [null]]
const budget = { numRuns: 400, seed: 4 }

it('dropping a property is an error with its name at the end of the pointer, or nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...properties), ({ name, path }) => {
      expectMissing(name, path, edit(example(name), path))
    }),
    budget,
  )
})

it('renaming a property is the same as dropping it, and the new one survives', () => {
  fc.assert(
    fc.property(fc.constantFrom(...properties), ({ name, path }) => {
      const artifact = example(name)
      const value = at(artifact, `/${path}`)
      expectMissing(name, path, edit(edit(artifact, path), `${path}x`, value))
    }),
    budget,
  )
})

it('retyping a value is an error exactly there', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ruled), fc.constantFrom(...values), ({ name, path }, value) => {
      const before = at(example(name), `/${path}`)
      fc.pre(typeOf(before) !== typeOf(value))
      const { valid, errors } = validateArtifact(edit(example(name), path, value))
      expect(valid).toBe(false)
      expect(errors.map(({ pointer }) => pointer)).toEqual([`/${path}`])
      expect(['TYPE', 'NOT_ALLOWED']).toContain(errors[0]?.code)
    }),
    budget,
  )
})

it('extending an object anywhere is welcome, and what was added survives', () => {
  const key = fc.constantFrom('extra', 'x-vendor', '__proto__', 'constructor', 'toString', '', 'a/b~c')
  fc.assert(
    fc.property(fc.constantFrom(...objects), key, fc.jsonValue({ maxDepth: 2 }), ({ name, path }, added, value) => {
      fc.pre(!JSON.stringify(value).includes('\\u0000'))
      const artifact = example(name)
      const parent = at(artifact, `/${path}`) as Json
      Object.defineProperty(parent, added, { value, enumerable: true, configurable: true, writable: true })
      const text = JSON.stringify(artifact)
      const result = validateArtifact(JSON.parse(text))
      expect(result.errors).toEqual([])
      expect(JSON.stringify(result.artifact)).toBe(text)
    }),
    budget,
  )
})

it('several mutations give several errors', () => {
  const artifact = edit(edit(edit(example('worker_result'), 'task_id'), 'confidence', 7), 'citations/0/kind', 1)
  expect(
    validateArtifact(artifact)
      .errors.map(({ pointer, code }) => `${pointer} ${code}`)
      .sort(),
  ).toEqual(['/citations/0/kind TYPE', '/confidence RANGE', '/task_id REQUIRED'])
})

function expectMissing(name: ArtifactName, path: string, mutated: Json): void {
  const { valid, errors } = validateArtifact(mutated)
  const expected = requiredFields[name].includes(path) ? [{ pointer: `/${path}`, code: 'REQUIRED' }] : []
  if (expected.length === 0) expect(optionalFields[name]).toContain(path)
  expect(errors.map(({ pointer, code }) => ({ pointer, code }))).toEqual(expected)
  expect(valid).toBe(expected.length === 0)
}

function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [`${prefix}${key}`, ...pathsOf(child, `${prefix}${key}/`)])
}

function isObject(value: unknown): boolean {
  return typeOf(value) === 'object'
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
