import { instance } from '@viz-js/viz'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Diagram, toDot } from '../../src/index.js'
import { HOSTILE_LABELS } from './hostile-labels.js'

fc.configureGlobal({ seed: 11 })

let svgOf: (dot: string) => string

beforeAll(async () => {
  const graphviz = await instance()
  svgOf = (dot) => graphviz.renderString(dot, { format: 'svg' })
})

/** The lines of text that Graphviz draws, in no particular order. */
function drawn(dot: string): string[] {
  const named: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }
  const decode = (entity: string, code: string) =>
    named[code] ?? (code.startsWith('#') ? String.fromCodePoint(Number(code.slice(1).replace(/^x/, '0x'))) : entity)
  return [...svgOf(dot).matchAll(/<text [^>]*>([^<]*)<\/text>/g)]
    .map(([, text = '']) => text.replace(/&(#?\w+);/g, decode))
    .filter((text) => text !== '')
    .sort()
}

/** What we expect to be drawn: lines of well-formed text without control characters. */
const shown = (label: string) =>
  label
    .toWellFormed()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '')

describe('toDot', () => {
  it('writes nodes, groups, edges and styles', () => {
    const diagram: Diagram = {
      direction: 'LR',
      nodes: [
        { id: 'a', label: 'Alpha', state: 'done' },
        { id: 'b', group: 'Team' },
        { id: 'c', group: 'Team' },
      ],
      edges: [
        { from: 'a', to: 'b', label: 'blocks' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'elsewhere' },
      ],
    }
    const dot = toDot(diagram, { styles: { done: { fill: '#aaffaa', stroke: 'green', text: 'black' }, unused: {} } })
    expect(dot).toBe(`digraph {
  rankdir=LR
  node [shape=box]
  n0 [label="Alpha"]
  n3 [label="elsewhere"]
  subgraph cluster_1 {
    label="Team"
    n1 [label="b"]
    n2 [label="c"]
  }
  n0 -> n1 [label="blocks"]
  n1 -> n2
  n2 -> n3
  n0 [style=filled fillcolor="#aaffaa" color="green" fontcolor="black"]
}
`)
    const svg = svgOf(dot)
    const titles = [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)
    expect(titles.sort()).toEqual([
      'cluster_1',
      'n0',
      'n0&#45;&gt;n1',
      'n1',
      'n1&#45;&gt;n2',
      'n2',
      'n2&#45;&gt;n3',
      'n3',
    ])
    expect(svg).toContain('fill="#aaffaa"')
    expect(drawn(dot)).toEqual(['Alpha', 'Team', 'b', 'blocks', 'c', 'elsewhere'])
  })

  it.each(HOSTILE_LABELS)('shows the label %j as it is', (label) => {
    const dot = toDot({
      nodes: [
        { id: 'a', label, group: label },
        { id: `${label}!`, label: 'b' },
      ],
      edges: [{ from: 'a', to: `${label}!`, label }],
    })
    const lines = shown(label)
    expect(drawn(dot)).toEqual([...lines, ...lines, ...lines, 'b'].sort())
  })

  it('shows any text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (label) => {
        expect(drawn(toDot({ nodes: [{ id: 'a', label }], edges: [] }))).toEqual(shown(label).sort())
      }),
      { numRuns: 100 },
    )
  })
})
