import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateArtifact } from '../src/index.js'
import { artifactNames, example, type Json } from './support/edit.js'

/** Has no prototype, so that it is copied and examined closely instead of being accepted as it is. */
const carefully = (artifact: object) => validateArtifact(Object.assign(Object.create(null), artifact))

const anything = fc.oneof(
  fc.constantFrom<unknown>('', 'x', '\0', '\ud800', '🌊', -1, 0.5, 2, Number.NaN, null, undefined, [], {}, [undefined]),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(new Date(0), () => 1, Object.create(null), Object.create({ a: 1 })),
)

const added = fc.constantFrom('extra', '__proto__', 'constructor', 'toString', '', 'a/b~c', '\0', '\ud800')

interface Change {
  /** Selects a property; one that is not there is added under `name`. */
  readonly at: number
  readonly name: string
  readonly value: unknown
  readonly drop: boolean
}

const change: fc.Arbitrary<Change> = fc.record({ at: fc.nat(30), name: added, value: anything, drop: fc.boolean() })

function changed(artifact: Json, { at, name, value, drop }: Change): Json {
  const key = Object.keys(artifact)[at] ?? name
  const { [key]: _, ...rest } = artifact
  const entries = Object.entries(rest)
  return Object.fromEntries(drop ? entries : [...entries, [key, value]])
}

describe.each(artifactNames)('the fast path for a valid %s', (name) => {
  it.each([0, 1, 2, 5])('agrees with the careful one after %i changes', (count) => {
    const changes = fc.array(change, { minLength: count, maxLength: count })
    fc.assert(
      fc.property(changes, (all) => {
        const artifact = all.reduce(changed, example(name))
        const { valid, errors } = validateArtifact(artifact)
        expect({ valid, errors }).toEqual({ valid: carefully(artifact).valid, errors: carefully(artifact).errors })
      }),
      { numRuns: 60, seed: 7 },
    )
  })
})
