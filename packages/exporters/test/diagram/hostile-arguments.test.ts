import { expect, it } from 'vitest'
import * as entry from '../../src/index.js'

const { diagramOf, exportFormats, minionsDiagram, toDot, toMermaid } = entry
const holes = new Array(2 ** 32 - 1)
const long = 'word {{x}} / '.repeat(4_000_000)
const failing = {
  toJSON() {
    throw new Error('of a value')
  },
}
const node = { id: 'a' }
const named = () => 'type'

/** Calls with arguments that the compiler would refuse. */
const calls: Readonly<Record<string, () => unknown>> = {
  'minionsDiagram without minions': () => minionsDiagram(null as never, [], named),
  'minionsDiagram without relations': () => minionsDiagram([], true as never, named),
  'minionsDiagram of nothing': () => minionsDiagram([undefined] as never, [], named),
  'minionsDiagram with names that are not a function': () => minionsDiagram([], [], {} as never),
  'toDot of holes': () => toDot({ nodes: [node], edges: holes }),
  'toDot with a colour that cannot be shown': () =>
    toDot({ nodes: [{ id: 'a', state: 's' }], edges: [] }, { styles: { s: { fill: failing as never } } }),
  'toMermaid of holes': () => toMermaid({ nodes: [node], edges: holes }),
  'toMermaid of a long label': () => toMermaid({ nodes: [{ id: 'a', label: long }], edges: [] }),
  'toMermaid of a text for an edge': () => toMermaid({ nodes: [node], edges: [long as never] }),
  'diagramOf with a text for a query': () => diagramOf({} as never, { query: long as never }),
  'the key of a format that is not a text': () => exportFormats.key?.({ format: 5 } as never),
}

it.each(Object.keys(calls))('%s is refused', async (name) => {
  await expect((async () => calls[name]?.())()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

it('an error of the names of types reaches the caller', () => {
  const minion = { id: 'a', title: 'A', minionTypeId: 't', fields: {}, createdAt: '', updatedAt: '' }
  const fail = () => {
    throw new TypeError('of the caller')
  }
  expect(() => minionsDiagram([minion], [], fail)).toThrow('of the caller')
})

it('the API of an app is a type, and created by the plugin alone', () => {
  expect(entry).not.toHaveProperty('ExportersApi')
})
