import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { facts, table } from '../src/output/output.js'

const rows = [
  { title: 'plain', n: 1 },
  { title: '日本語のタイトル', n: 2 },
  { title: '👩‍👩‍👧 family', n: 3 },
  { title: 'e\u0301te\u0301', n: 4 },
]

describe('a table', () => {
  it('is aligned at a terminal, where characters take two columns or none', () => {
    const lines = table(rows, 'Nothing to show.', { title: (row) => row.title, n: (row) => row.n }).split('\n')
    const columns = lines.slice(1).map((line) => stringWidth(line.slice(0, line.lastIndexOf(' ') + 1)))
    expect(lines[0]).toMatch(/^TITLE +N$/)
    expect(new Set(columns)).toEqual(new Set([stringWidth('日本語のタイトル') + 2]))
  })

  it('cuts values to the columns they may take, and no character in two', () => {
    const longest = 12
    for (const letter of ['x', '日', '👩‍👩‍👧', 'e\u0301']) {
      for (const count of [1, 6, 12, 13, 100, 5000]) {
        const [, cell = ''] = table([{}], '', { value: () => letter.repeat(count) }, longest).split('\n')
        expect(stringWidth(cell)).toBeLessThanOrEqual(longest)
        const isWhole = count * stringWidth(letter) <= longest
        expect(cell).toBe(isWhole ? letter.repeat(count) : `${cell.slice(0, -1)}…`)
        expect(cell.replace('…', '').replaceAll(letter, '')).toBe('')
      }
    }
  })

  it('says when there is nothing', () => {
    expect(table([], 'No rows.', { n: () => 1 })).toBe('No rows.')
  })
})

describe('facts', () => {
  it('are aligned too, and leave out what is absent', () => {
    expect(facts({ 名: 'a', name: 'b', none: undefined, empty: '' })).toBe('名    a\nname  b')
  })
})
