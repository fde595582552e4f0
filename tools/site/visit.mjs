// @ts-check
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { programs } from '../../site/.vitepress/theme/programs.mjs'
import { executablePath, launchChromium } from '../test/browser/chromium.mjs'

/** @import { Page } from 'playwright-core' */

const ORIGIN = 'http://localhost'
const TYPES = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.json', 'application/json'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
])

/** False where no Chromium is installed: then the site is built, and not visited. */
export const canVisit = executablePath !== undefined

/**
 * Opens the built site in Chromium as a reader would: draws its diagrams, searches it, and runs each program of the playground.
 *
 * @param {string} folder the built site
 * @returns {Promise<string[]>} what went wrong
 */
export async function visitSite(folder) {
  /** @type {Set<string>} */
  const problems = new Set()
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.route('**/*', (route) => {
      const { origin, pathname } = new URL(route.request().url())
      const file = origin === ORIGIN ? fileOf(folder, decodeURI(pathname)) : undefined
      if (file === undefined && pathname !== '/favicon.ico') problems.add(`${route.request().url()} does not exist`)
      if (file === undefined) return route.fulfill({ status: 404, body: '' })
      return route.fulfill({ body: readFileSync(file), contentType: TYPES.get(extname(file)) ?? 'text/plain' })
    })
    page.on('pageerror', ({ message }) => problems.add(`a page throws: ${message}`))
    for (const visit of [drawDiagrams, search, runPrograms]) {
      await visit(page).catch((/** @type {Error} */ error) => problems.add(`${visit.name}: ${error.message}`))
    }
  } finally {
    await browser.close()
  }
  return [...problems]
}

/** @param {Page} page */
async function drawDiagrams(page) {
  for (const path of ['/concepts', '/project/architecture']) {
    await page.goto(`${ORIGIN}${path}`)
    await page.locator('pre.mermaid svg').first().waitFor()
  }
}

/** @param {Page} page */
async function search(page) {
  await page.goto(`${ORIGIN}/`)
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill('SLUG_CLASH')
  await page.locator('#localsearch-list li').first().waitFor()
}

/** @param {Page} page */
async function runPrograms(page) {
  await page.goto(`${ORIGIN}/playground`)
  for (const { title, prints } of programs) {
    await page.getByRole('combobox', { name: 'Program' }).selectOption({ label: title })
    await page.getByRole('button', { name: 'Run' }).click()
    for (const text of prints) await page.locator('.playground .output', { hasText: text }).waitFor()
  }
}

/** @param {string} folder @param {string} path @returns {string | undefined} */
function fileOf(folder, path) {
  const candidates = [path, `${path}.html`, join(path, 'index.html')].map((candidate) => join(folder, candidate))
  return candidates.find((file) => existsSync(file) && statSync(file).isFile())
}
