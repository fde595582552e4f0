import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagram, toMermaid } from '../../src/index.js'
import { HOSTILE_LABELS } from './hostile-labels.js'

fc.configureGlobal({ seed: 22 })

describe('toMermaid', () => {
  it('writes nodes, groups, edges and styles', () => {
    const diagram: Diagram = {
      direction: 'LR',
      nodes: [
        { id: 'a', label: 'Alpha', state: 'done' },
        { id: 'b', group: 'Team', state: 'odd' },
        { id: 'c', group: 'Team' },
      ],
      edges: [
        { from: 'a', to: 'b', label: 'blocks' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'elsewhere' },
      ],
    }
    expect(
      toMermaid(diagram, { styles: { done: { fill: '#aaffaa', stroke: 'green', text: 'black' }, unused: {} } }),
    ).toBe(`flowchart LR
  n0["Alpha"]
  n3["elsewhere"]
  subgraph g1["Team"]
    n1["b"]
    n2["c"]
  end
  n0 -->|"blocks"| n1
  n1 --> n2
  n2 --> n3
  classDef s0 fill:#aaffaa,stroke:green,color:black
  class n0 s0
`)
  })

  it('is top to bottom unless told otherwise', () => {
    expect(toMermaid({ nodes: [], edges: [] })).toBe('flowchart TB\n')
    expect(toMermaid({ nodes: [], edges: [], direction: 'BT' }, { direction: 'RL' })).toBe('flowchart RL\n')
    expect(() => toMermaid({ nodes: [], edges: [], direction: 'TB\nx' as never })).toThrow('direction')
  })

  it('escapes what Mermaid would read as more than text', () => {
    const label = (text: string) => /\["(.*)"\]/.exec(toMermaid({ nodes: [{ id: 'a', label: text }], edges: [] }))?.[1]
    expect(label('say "hi" & <b>')).toBe('say #quot;hi#quot; #amp; #lt;b#gt;')
    expect(label('one\ntwo')).toBe('one<br/>two')
    expect(label('100% #1')).toBe('100#37; #35;1')
    expect(label('1. a\n- b')).toBe('1#46; a<br/>#45; b')
    expect(label('')).toBe(' ')
    expect(label('ﬂ°°35¶ß')).toBe('ﬂ\u2060°°35¶\u2060ß')
    expect(label('C:\\new \\N')).toBe('C#58;#92;\u2060new #92;N')
    expect(label('fa:fa-car sofa: fa')).toBe('fa#58;\u2060fa-car sofa#58; fa')
    expect(label('$$x$')).toBe('#36;\u2060#36;x#36;')
  })

  const text = fc.oneof(fc.constantFrom(...HOSTILE_LABELS), fc.string({ unit: 'binary' }), fc.string())

  it('gives every node, edge and group one line of harmless characters, and the text can be read back', () => {
    fc.assert(
      fc.property(text, text, text, (label, id, group) => {
        const lines = toMermaid({
          nodes: [{ id, label, group }],
          edges: [{ from: id, to: `${id}!`, label: `x${label}` }],
        }).split('\n')
        expect(lines).toHaveLength(7)
        const written = [/^ {2}n1\["(.+)"\]$/, /^ {2}subgraph g1\["(.+)"\]$/, /^ {4}n0\["(.+)"\]$/, /^ {2}end$/]
        written.push(/^ {2}n0 -->\|"(.+)"\| n1$/)
        const found = written.map((pattern, index) => pattern.exec(lines[index + 1] as string))
        expect(found.every((match) => match !== null)).toBe(true)
        const texts = [found[0], found[1], found[2], found[4]].map((match) => match?.[1] as string)
        for (const each of texts) expect(each.replaceAll('<br/>', '')).not.toMatch(/["<>&%`$:|[\]{}\\*_~@^+]|#(?!\w+;)/)
        expect(texts.map(readBack)).toEqual([`${id}!`, group, label, `x${label}`].map(shown))
      }),
      { numRuns: 500 },
    )
  })
})

describe('diagrams', () => {
  it('refuses two nodes with one id', () => {
    expect(() => toMermaid({ nodes: [{ id: 'a"' }, { id: 'a"' }], edges: [] })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: 'The diagram has two nodes with the id "a\\"".' }),
    )
  })

  it.each(['#fff;x', 'url(x)', 'red,a:b', '', '#12345'])('refuses %j as a colour', (fill) => {
    const diagram: Diagram = { nodes: [{ id: 'a', state: 'x' }], edges: [] }
    expect(() => toMermaid(diagram, { styles: { x: { fill } } })).toThrow('is not a colour')
  })

  it('looks up states among own properties only', () => {
    const diagram: Diagram = { nodes: [{ id: '__proto__', state: 'constructor' }], edges: [] }
    expect(toMermaid(diagram, { styles: {} })).toBe('flowchart TB\n  n0["#95;#95;proto#95;#95;"]\n')
  })
})

function readBack(text: string): string {
  const named: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>' }
  return text
    .replaceAll('<br/>', '\n')
    .replaceAll('\u2060', '')
    .replace(/#(\w+);/g, (_, code: string) => named[code] ?? String.fromCodePoint(Number(code)))
    .trim()
}

function shown(label: string): string {
  return label
    .toWellFormed()
    .replaceAll('\u2060', '')
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .join('\n')
    .trim()
}
