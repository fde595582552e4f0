// @ts-check
// The packages that promise to run in a browser do so: bundled by the usual bundlers, in a real one.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPackages } from '../../checks/layers.mjs'
import { bundlers } from './bundlers.mjs'
import { executablePath, launchChromium, needsChromium, observePage, policies } from './chromium.mjs'

/** @import { Browser } from 'playwright-core' */

/**
 * @typedef {object} Scenario a module in `pages`
 * @property {() => Promise<Record<string, unknown>>} observe uses the package and says what it saw
 * @property {Record<string, unknown>} expected
 */

const main = `
import { observe } from '/page.js'
let codeGeneration = true
try {
  new Function('return 1')()
} catch {
  codeGeneration = false
}
globalThis.observations = { codeGeneration, ...(await observe()) }
`

/** @type {Browser | undefined} */
let browser

beforeAll(async () => {
  if (executablePath !== undefined) browser = await launchChromium()
})

afterAll(() => browser?.close())

describe.each(browserPackages)('%s', (name) => {
  const page = new URL(`pages/${name.slice('@minions/'.length)}.mjs`, import.meta.url)

  it('does the same in Node', async () => {
    /** @type {Scenario} */
    const { observe, expected } = await import(page.href)
    expect(JSON.parse(JSON.stringify(await observe()))).toEqual(expected)
  })

  it.skipIf(executablePath === undefined).each(Object.keys(bundlers))(
    'runs in a browser, bundled by %s',
    needsChromium,
    async (bundler) => {
      /** @type {Scenario} */
      const { expected } = await import(page.href)
      const bundle = await bundlers[bundler]?.(fileURLToPath(page))
      const see = (/** @type {string} */ policy) =>
        observePage(/** @type {Browser} */ (browser), { '/main.js': main, '/page.js': String(bundle) }, policy)
      expect(await see(policies['code generation allowed'])).toEqual({ codeGeneration: true, ...expected })
      expect(await see(policies['code generation forbidden'])).toEqual({ codeGeneration: false, ...expected })
    },
  )
})

it.skipIf(executablePath === undefined)('what a browser does not have is found', needsChromium, async () => {
  const needsNode = fileURLToPath(new URL('../../packages.mjs', import.meta.url))
  for (const bundle of Object.values(bundlers)) await expect(bundle(needsNode)).rejects.toThrow(/node:fs/)
  const modules = { '/main.js': 'import "/absent.js"' }
  await expect(observePage(/** @type {Browser} */ (browser), modules, "script-src 'self'")).rejects.toThrow('absent')
})
