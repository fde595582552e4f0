// @ts-check
// Mermaid itself draws what we write, and every label reads as the text it was given.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { toMermaid } from '@minions/exporters'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOSTILE_LABELS } from '../../../packages/exporters/test/diagram/hostile-labels.ts'
import { executablePath, launchChromium, needsChromium, observePage } from './chromium.mjs'

/** @import { Browser } from 'playwright-core' */
/** @typedef {{ nodes: string[], edges: string[], groups: string[] }} Drawn the texts of each, lines parted by \n */

/** Mermaid writes styles into the picture. */
const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'"
const require = createRequire(import.meta.url)
const mermaid = readFileSync(require.resolve('@mermaid-js/tiny'), 'utf8')
const main = `
import '/mermaid.js'
import { source } from '/source.js'
const textsOf = (svg, selector) => Array.from(svg.querySelectorAll(selector), (label) => {
  for (const br of label.querySelectorAll('br')) br.replaceWith('\\n')
  return label.querySelector('i, svg, math, a') ? 'something other than text' : label.textContent
})
mermaid.initialize({ startOnLoad: false, maxTextSize: 1_000_000 })
const { svg } = await mermaid.render('picture', source)
const picture = new DOMParser().parseFromString(svg, 'text/html')
globalThis.observations = {
  nodes: textsOf(picture, '.node .nodeLabel'),
  edges: textsOf(picture, '.edgeLabel .label .edgeLabel'),
  groups: textsOf(picture, '.cluster-label .nodeLabel'),
}
`

/** @type {Browser | undefined} */
let browser

beforeAll(async () => {
  if (executablePath !== undefined) browser = await launchChromium()
})

afterAll(() => browser?.close())

it.skipIf(executablePath === undefined)('Mermaid shows hostile labels as they are', needsChromium, async () => {
  // Mermaid reads a label of several lines once more than one of a single line.
  await expectShown([...HOSTILE_LABELS, ...HOSTILE_LABELS.map((label) => `${label}\nsecond`)])
})

it.skipIf(executablePath === undefined)('Mermaid shows any label as it is', needsChromium, async () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE_LABELS),
    fc.constantFrom(
      '\\',
      'n',
      'fa:',
      'fab:',
      'fa-',
      'car',
      '$$',
      '<br/>',
      '#',
      ';',
      '&',
      '`',
      '"',
      ' ',
      '\n',
      'x',
      '.',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  )
  const label = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
  await expectShown(fc.sample(label, { numRuns: 150, seed: 33 }))
})

/** @param {readonly string[]} labels each is drawn as a node, an edge and a group */
async function expectShown(labels) {
  const source = toMermaid({
    nodes: labels.map((label, index) => ({ id: `n${index}`, label, group: `${index}\n${label}` })),
    edges: labels.map((label, index) => ({ from: `n${index}`, to: 'end', label: `${index} ${label}` })),
  })
  const modules = {
    '/main.js': main,
    '/mermaid.js': mermaid.replace('var __esbuild_esm_mermaid_nm', 'globalThis.__esbuild_esm_mermaid_nm = {}'),
    '/source.js': `export const source = ${JSON.stringify(source)}`,
  }
  const drawn = /** @type {Drawn} */ (await observePage(/** @type {Browser} */ (browser), modules, policy))
  const seen = (/** @type {readonly string[]} */ texts) => texts.map(visible).sort()
  expect(seen(drawn.nodes)).toEqual(seen([...labels, 'end']))
  expect(seen(drawn.edges)).toEqual(seen(labels.map((label, index) => `${index} ${label}`)))
  expect(seen(drawn.groups)).toEqual(seen(labels.map((label, index) => `${index}\n${label}`)))
}

/**
 * A text as a reader sees it: lines of well-formed characters, in which spaces run together and a word joiner does not
 * show.
 *
 * @param {string} text
 */
function visible(text) {
  return text
    .toWellFormed()
    .replaceAll('\u2060', '')
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim())
    .join('\n')
    .trim()
}
