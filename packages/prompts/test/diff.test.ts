import { diffArrays } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DiffLine, diffLines, PromptDiff } from '../src/index.js'

fc.configureGlobal({ seed: 20_240_116 })

const differ = new PromptDiff()
const side = (lines: readonly DiffLine[], without: 'add' | 'remove'): string =>
  lines
    .filter(({ type }) => type !== without)
    .map(({ text }) => text)
    .join('\n')
const minion = (content: string, fields: object = {}) => ({ title: 'P', fields: { content, ...fields } })

describe('lines', () => {
  const content = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', '', 'a\r'), { maxLength: 30 })
    .map((lines) => lines.join('\n'))

  it('give back both versions, removals before additions, nothing that both share at once', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const lines = diffLines(before, after)
        if (before === after) {
          expect(lines).toEqual([])
          return
        }
        expect(side(lines, 'add')).toBe(before)
        expect(side(lines, 'remove')).toBe(after)
        for (const [index, { type }] of lines.entries()) {
          if (type === 'remove') expect(lines[index - 1]?.type).not.toBe('add')
        }
      }),
      { numRuns: 600 },
    )
  })

  it('are as few as another library finds', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const changed = diffLines(before, after).filter(({ type }) => type !== 'context').length
        const parts = diffArrays(before.split('\n'), after.split('\n'))
        expect(changed).toBe(parts.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0))
      }),
      { numRuns: 300 },
    )
  })

  const long = (line: (index: number) => unknown, length = 20_000): string =>
    Array.from({ length }, (_, i) => `line ${line(i)}`).join('\n')
  const shuffled = (index: number): number => (index * 7_919) % 5_000
  const scrambled = (index: number, salt: number): number => Math.imul(index + salt, 0x9e3779b1) >>> 24

  it.each([
    ['that share nothing', long((i) => i), long((i) => -1 - i)],
    ['half changed', long((i) => i), long((i) => (i % 2 ? i : `${i} changed`))],
    ['of few different lines in another order', long((i) => scrambled(i, 1)), long((i) => scrambled(i * i, 5))],
  ])('of two prompts of 20,000 lines %s are found within seconds', (_, before, after) => {
    const lines = diffLines(before, after)
    expect(side(lines, 'add')).toBe(before)
    expect(side(lines, 'remove')).toBe(after)
  })

  it.each([
    ['reversed', (index: number) => 4_999 - index],
    ['shuffled', shuffled],
  ])('of %s lines are found', (_, order) => {
    const [before, after] = [long((i) => i, 5_000), long(order, 5_000)]
    const lines = diffLines(before, after)
    expect(side(lines, 'add')).toBe(before)
    expect(side(lines, 'remove')).toBe(after)
  })
})

describe('words', () => {
  it('say what changed within a line', () => {
    const result = differ.diff(minion('Be brief.\nAnswer in English.'), minion('Be brief.\nAnswer in plain French.'))
    expect(differ.words(result)).toEqual([
      {
        removed: 1,
        added: 2,
        parts: [
          { type: 'context', text: 'Answer in ' },
          { type: 'remove', text: 'English' },
          { type: 'add', text: 'plain French' },
          { type: 'context', text: '.' },
        ],
      },
    ])
  })

  it('are left out for lines that have none in common', () => {
    expect(differ.words(differ.diff(minion('a b'), minion('c d')))).toEqual([])
  })

  it('always add up to both lines', () => {
    const line = fc.array(fc.constantFrom('you', 'are', ' ', '{{x}}', '.', 'né', '😀', '\ud800'), { maxLength: 12 })
    const content = fc.array(line, { maxLength: 4 }).map((lines) => lines.map((words) => words.join('')).join('\n'))
    fc.assert(
      fc.property(content, content, (before, after) => {
        const result = differ.diff(minion(before), minion(after))
        for (const { removed, added, parts } of differ.words(result)) {
          const joined = (without: string) =>
            parts
              .filter(({ type }) => type !== without)
              .map(({ text }) => text)
              .join('')
          expect(joined('add')).toBe(result.contentDiff[removed]?.text)
          expect(joined('remove')).toBe(result.contentDiff[added]?.text)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('stay quick on one huge line', () => {
    const words = (salt: number) =>
      Array.from({ length: 60_000 }, (_, i) => `w${Math.imul(i + salt, 0x9e3779b1) >>> 20}`).join(' ')
    expect(differ.words(differ.diff(minion(words(1)), minion(words(99_999))))).toEqual([])
  })
})

describe('fields', () => {
  it('treats undefined as absent and ignores ids and times', () => {
    const v1 = { id: '1', createdAt: 'x', title: 'P', fields: { content: 'a', description: undefined } }
    const v2 = { id: '2', createdAt: 'y', title: 'P', fields: { content: 'a', changelog: undefined } }
    expect(differ.diff(v1, v2)).toEqual({ added: [], removed: [], changed: [], contentDiff: [] })
  })

  it('looks at own properties only, whatever they are called', () => {
    const v2 = { title: 'P', fields: JSON.parse('{"toString":1,"__proto__":2,"title":"field"}') }
    expect(differ.diff({ title: 'P', fields: {} }, v2).added).toEqual([
      { field: 'toString', value: 1 },
      { field: '__proto__', value: 2 },
      { field: 'title', value: 'field' },
    ])
  })
})

describe('format', () => {
  it('gives nothing for an empty diff', () => {
    expect(differ.format(differ.diff(minion('a'), minion('a')))).toBe('')
    expect(differ.format(differ.diff(minion('a'), minion('a')), true)).toBe('')
  })

  it('shows fields, structures and lines', () => {
    const v1 = { title: 'P', fields: { content: 'a\nb', tags: ['x', 'y'], description: 'old' } }
    const v2 = { title: 'Q', fields: { content: 'a\nc', tags: ['x', 'z'], changelog: 'new' } }
    expect(differ.format(differ.diff(v1, v2)).split('\n')).toEqual([
      '- description: "old"',
      '+ changelog: "new"',
      '~ title',
      '- "P"',
      '+ "Q"',
      '~ tags',
      '  [',
      '    "x"',
      '-   "y"',
      '+   "z"',
      '  ]',
      '~ content',
      '  a',
      '- b',
      '+ c',
    ])
  })

  it('shows what changed inside a structure, whatever the order of its keys', () => {
    const from = { model: { name: 'large', limits: [1, 2] }, old: null }
    const to = { added: {}, model: { limits: [1, 2, { a: 'x\ny' }], name: 'large' } }
    const shown = differ.format(differ.diff(minion('', { settings: from }), minion('', { settings: to })))
    expect(shown.split('\n')).toEqual([
      '~ settings',
      '  {',
      '+   "added": {',
      '+   }',
      '    "model": {',
      '      "limits": [',
      '        1',
      '        2',
      '+       {',
      '+         "a": "x\\ny"',
      '+       }',
      '      ]',
      '      "name": "large"',
      '    }',
      '-   "old": null',
      '  }',
    ])
  })

  it('colours lines, and sets changed words off, when asked', () => {
    const result = differ.diff(minion('say hello'), minion('say goodbye'))
    const colored = differ.format(result, true)
    expect(colored).toContain('\u001B[31m- say \u001B[7mhello\u001B[27m\u001B[0m')
    expect(colored).toContain('\u001B[32m+ say \u001B[7mgoodbye\u001B[27m\u001B[0m')
    expect(differ.format(result)).not.toContain('\u001B')
  })

  it('survives any structure', () => {
    const key = fc.constantFrom('a', 'toString', '__proto__', 'constructor', 'a__old', 'b__deleted')
    const scalar = fc.constantFrom<unknown>(1, 'x', null, true, '__next', '__$!SCALAR1', 'constructor', '__proto__')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value')),
      ),
    }))
    fc.assert(
      fc.property(value, value, (from, to) => {
        const result = differ.diff(minion('', { x: from }), minion('', { x: to }))
        const lines = differ.format(result).split('\n')
        expect(lines.some((line) => /^[+-]/.test(line))).toBe(result.changed.length > 0)
      }),
      { numRuns: 300 },
    )
  })
})
