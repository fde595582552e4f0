import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editMembers } from '../src/json/edit.js'
import { readMembers } from '../src/json/exact.js'

// Keys that JavaScript sorts, that need escaping, and that objects have anyway.
const key = fc.constantFrom('a', 'b', '10', '2', '', '"\\', 'é', '__proto__', 'constructor')
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 1, -2.5, 1e21, '', 'x', '"{[,]}\\'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
  ),
}))
const members = fc.dictionary(key, tree, { maxKeys: 5 })

it('gives the text of any other members, whatever the layout, and the same text for the same members', () => {
  fc.assert(
    fc.property(members, members, fc.constantFrom('', '  ', '\t'), (from, to, indent) => {
      const text = ` ${JSON.stringify(from, null, indent)}\n`
      const before = readMembers(text) ?? {}
      const after = Object.fromEntries(
        Object.keys(to).map((name) => [name, Object.hasOwn(before, name) && name.length < 2 ? before[name] : to[name]]),
      )
      expect(JSON.parse(editMembers(text, before, after))).toEqual(after)
      expect(editMembers(text, before, structuredClone(before))).toBe(text)
    }),
    { numRuns: 500, seed: 20 },
  )
})
