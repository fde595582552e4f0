// @ts-check
// What changes elsewhere is on the page, whatever happens to the feed, the tab and the server in between.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, endCommand, PATIENCE, run, storageOf } from './studio.mjs'

/** @import { Page } from 'playwright-core' */

const bench = new Bench()

/** @param {string} title */
const write = (title) => bench.call('objects.create', { type: 'note', title, fields: { content: 'x' } })

/** As a browser does when another tab is put before this one, or this one before all others. @param {Page} page @param {'hidden' | 'visible'} state */
const setVisibility = (page, state) =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`)

describe.skipIf(executablePath === undefined)('the Studio follows the store', needsChromium, () => {
  beforeAll(() => bench.open({ demo: false }), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('a change between the first read and the opening of the feed is shown', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/types')
    /** @type {() => void} */
    let open = () => {}
    const opened = new Promise((resolve) => {
      open = () => resolve(undefined)
    })
    await page.route('**/api/events*', async (route) => {
      await opened
      await route.continue()
    })
    await page.goto(new URL('/studio/objects?type=note', bench.url).href)
    await page.getByText('No objects').waitFor()
    await write('Between')
    open()
    await page.getByRole('link', { name: 'Between' }).waitFor()
    await close()
  })

  it('a tab out of view gives its connection away, and catches up afterwards', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/objects?type=note')
    const feeds = new Set()
    page.on('request', (request) => request.url().includes('/api/events') && feeds.add(request))
    page.on('requestfailed', (request) => feeds.delete(request))
    // A feed that was requested before, or by the page that is left, is not among them.
    await page.reload()
    await page.getByRole('link', { name: 'Between' }).waitFor()
    await expect.poll(() => feeds.size, { timeout: PATIENCE }).toBe(1)
    await setVisibility(page, 'hidden')
    await expect.poll(() => feeds.size, { timeout: PATIENCE }).toBe(0)
    await write('Out of view')
    expect(await page.getByRole('link', { name: 'Out of view' }).count()).toBe(0)
    await setVisibility(page, 'visible')
    await page.getByRole('link', { name: 'Out of view' }).waitFor()
    await write('In view again')
    await page.getByRole('link', { name: 'In view again' }).waitFor()
    await close()
  })

  it('columns with the same title move without leaving one behind', { timeout: PATIENCE * 2 }, async () => {
    const { id } = await bench.call('prompts.create', { title: 'Unnumbered', content: 'Hello {{name}}' })
    await bench.call('prompts.addTest', { prompt: id, title: 'Ada', inputVariables: { name: 'Ada' } })
    let before = id
    for (const content of ['Dear {{name}}', 'Hi {{name}}']) {
      // As another program writes them: versions have numbers only if they were given one.
      const version = { type: 'prompt-version', title: content, fields: { content } }
      const { id: next } = await bench.call('objects.create', version)
      await bench.call('relations.link', { sourceId: next, targetId: before, type: 'follows' })
      before = next
    }
    const addVersion = (/** @type {number} */ number) =>
      bench.call('prompts.addVersion', { prompt: id, content: `${number} {{name}}` })
    for (const number of [3, 4, 5]) await addVersion(number)
    const { page, close } = await bench.tab(`/prompts/${id}?view=tests`)
    const titles = page.locator('thead th')
    await page.getByRole('columnheader', { name: 'Version 0' }).waitFor()
    expect(await titles.count()).toBe(7)
    await addVersion(6)
    await page.getByRole('columnheader', { name: 'Version 6' }).waitFor()
    expect(await titles.allTextContents()).toEqual([
      'Test',
      ...['null', 'null', '3', '4', '5', '6'].map((number) => `Version ${number}`),
    ])
    await close()
  })

  it('a server that is killed and started again is found again', { timeout: PATIENCE * 4 }, async () => {
    const serve = ['serve', '--without-key', '--storage', storageOf(bench.folder)]
    const first = await bench.start(...serve, '--port', '0')
    const { port } = new URL(first.printed.url)
    const { page, close } = await bench.tab('/objects?type=note', first.printed.url)
    await page.getByRole('link', { name: 'In view again' }).waitFor()
    await endCommand(first.child, 'SIGKILL')
    await page.getByText('offline, reconnecting').waitFor()
    run(bench.folder, 'objects.create', { type: 'note', title: 'Written meanwhile', fields: { content: 'x' } })
    await bench.start(...serve, '--port', port)
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    run(bench.folder, 'objects.create', { type: 'note', title: 'Written afterwards', fields: { content: 'x' } })
    await page.getByRole('link', { name: 'Written afterwards' }).waitFor()
    await close()
  })
})
