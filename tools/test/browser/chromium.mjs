// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { findChromium } from './find-chromium.mjs'

/** @import { Browser, Page } from 'playwright-core' */

export const executablePath = findChromium()

/** What tests in a browser need. */
export const needsChromium = { meta: { needs: 'Chromium: install it, on the PATH' } }

/** @returns {Promise<Browser>} */
export function launchChromium() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
  return chromium.launch({ executablePath: executablePath ?? '', headless: true, args })
}

/** Content security policies by what they say about `eval` and `new Function`. */
export const policies = {
  'code generation allowed': "default-src 'none'; script-src 'self' 'unsafe-eval'",
  'code generation forbidden': "default-src 'none'; script-src 'self'",
}

/**
 * Loads modules in a page of their own and resolves to what `/main.js` leaves in `globalThis.observations`, as JSON.
 * Rejects on the first error that the page does not catch, and on a module that it cannot load.
 *
 * @param {Browser} browser
 * @param {Record<string, string>} modules source by path; `/main.js` runs
 * @param {string} policy the content security policy of the page
 * @returns {Promise<unknown>}
 */
export async function observePage(browser, modules, policy) {
  // A page on localhost counts as secure, as one served over HTTPS does.
  const origin = 'http://localhost'
  const files = new Map(Object.entries(modules))
  const page = await browser.newPage()
  try {
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url())
      const body =
        pathname === '/' ? '<!doctype html><script type="module" src="/main.js"></script>' : files.get(pathname)
      const contentType = `${pathname === '/' ? 'text/html' : 'text/javascript'}; charset=utf-8`
      return route.fulfill({
        status: body === undefined ? 404 : 200,
        headers: { 'Content-Security-Policy': policy, 'Content-Type': contentType },
        body: body ?? '',
      })
    })
    /** @type {Promise<never>} */
    const failure = new Promise((_, reject) => {
      page.on('pageerror', reject)
      page.on('response', (response) => {
        if (response.status() === 404 && !response.url().endsWith('/favicon.ico')) {
          reject(new Error(`The page asks for ${response.url()}, which is not in the bundle.`))
        }
      })
    })
    const observed = page.goto(`${origin}/`).then(() => valueInPage(page, 'JSON.stringify(globalThis.observations)'))
    // After a failure the page is closed, and this rejects as well.
    observed.catch(() => undefined)
    return JSON.parse(String(await Promise.race([observed, failure])))
  } finally {
    await page.close()
  }
}

/**
 * Resolves to the value of an expression as soon as it has one. Asks from outside, because `page.waitForFunction` polls with
 * `eval` inside the page, which a content security policy forbids; rejects when the page is closed.
 *
 * @param {Page} page
 * @param {string} expression
 * @returns {Promise<unknown>}
 */
export async function valueInPage(page, expression) {
  for (;;) {
    const value = await page.evaluate(expression)
    if (value !== undefined) return value
    await sleep(20)
  }
}
