// @ts-check
// What the Studio must not do: show more than it may, run what is stored, or hold more of a large store than it shows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMinions } from '@minions/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, expectAccessible, PATIENCE, run, storageOf } from './studio.mjs'

const bench = new Bench()
const HOSTILE = '<img src=x onerror="document.body.remove()"> javascript:alert(1)'
const ROWS = 100_000

const PAGES = [
  '/',
  '/objects',
  '/objects/new',
  '/types',
  '/types/note',
  '/prompts',
  '/prompts/colony-prompt-worker',
  '/prompts/colony-prompt-worker?view=versions',
  '/prompts/colony-prompt-worker?view=labels',
  '/prompts/colony-prompt-worker?view=tests',
  '/missions',
  '/missions/new',
  '/inbox',
  '/workspaces',
  '/skills',
  '/skills/colony-worker',
  '/agents',
  '/operations',
  '/nowhere',
]

describe.skipIf(executablePath === undefined)('limits of the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('every page can be used by everyone, in light and in dark', { timeout: PATIENCE * 10 }, async () => {
    const { page, close } = await bench.tab()
    const { origin } = new URL(bench.url)
    for (const [index, path] of PAGES.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' })
      await page.goto(`${origin}/studio${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('load')
      await expectAccessible(page)
    }
    await close()
  })

  it('a key that reads shows no control that writes, and is refused anyway', { timeout: PATIENCE * 3 }, async () => {
    const url = await bench.studio(storageOf(bench.folder), '--read-only')
    const { page, close } = await bench.tab('/objects', url)
    await page.getByRole('link', { name: 'Colony: worker' }).first().waitFor()
    await page.getByText('read only').waitFor()
    expect(await page.getByRole('link', { name: 'New object' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Colony: worker' }).first().click()
    await page.getByRole('tab', { name: 'Content' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Edit' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await page.goto(new URL('/studio/inbox', url).href)
    await page.getByText('wb_lead_123').first().waitFor()
    expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0)
    await page.goto(new URL('/studio/operations/objects.create', url).href)
    await page.getByText('Your key does not allow this').waitFor()
    const { origin, hash } = new URL(url)
    const refused = await fetch(`${origin}/api/operations/objects.create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hash.slice('#key='.length)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'note', title: 'No', fields: { content: 'x' } }),
    })
    expect(refused.status).toBe(403)
    await close()
  })

  it('what is stored is shown as text, wherever it is stored', { timeout: PATIENCE * 4 }, async () => {
    const note = { type: 'note', title: HOSTILE, description: HOSTILE, tags: [HOSTILE], fields: { content: HOSTILE } }
    const { id } = run(bench.folder, 'objects.create', { ...note, id: 'hostile' })
    const other = run(bench.folder, 'objects.create', { ...note, id: 'hostile-too' })
    run(bench.folder, 'relations.link', { sourceId: id, targetId: other.id, type: 'references' })
    run(bench.folder, 'prompts.create', {
      title: HOSTILE,
      content: HOSTILE,
      id: 'hostile-prompt',
      description: HOSTILE,
    })
    run(bench.folder, 'workspaces.add', { name: HOSTILE.slice(0, 40), description: HOSTILE })
    const { page, close } = await bench.tab()
    const { origin } = new URL(bench.url)
    const paths = [
      '/',
      '/objects',
      ...['content', 'edit', 'relations', 'history', 'json'].map((view) => `/objects/hostile?view=${view}`),
      '/prompts',
      '/prompts/hostile-prompt',
      '/workspaces',
    ]
    for (const path of paths) {
      await page.goto(`${origin}/studio${path}`)
      const shown = page.locator('main').getByText('<img src=x').or(page.locator('main').getByRole('textbox'))
      await shown.first().waitFor()
      expect(await page.locator('img[src=x], a[href^="javascript:"]').count()).toBe(0)
    }
    await close()
  })

  it('says what was saved elsewhere meanwhile, and loses neither', { timeout: PATIENCE * 3 }, async () => {
    run(bench.folder, 'objects.create', { type: 'note', id: 'shared', title: 'Plan', fields: { content: 'One' } })
    const { page, close } = await bench.tab('/objects/shared?view=edit')
    await page.getByRole('textbox', { name: 'Title' }).fill('Plan of mine')
    run(bench.folder, 'objects.update', { id: 'shared', fields: { content: 'Two' } }, '--by', 'grace')
    await page.getByText('grace saved this object in the meantime').waitFor()
    await page.getByRole('cell', { name: 'Two' }).waitFor()
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Plan of mine' }).waitFor()
    expect(run(bench.folder, 'objects.get', { id: 'shared' })).toMatchObject({
      title: 'Plan of mine',
      fields: { content: 'Two' },
    })
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Plan of mine').first().waitFor()
    await close()
  })

  it('a plugin adds pages, with a form or drawn by itself', { timeout: PATIENCE * 3 }, async () => {
    const module = join(bench.folder, 'page.mjs')
    writeFileSync(
      module,
      `export function mount(element, { call }) {
         call('objects.count', { type: 'prompt-template' }).then(({ count }) => { element.textContent = 'Templates: ' + count })
       }`,
    )
    const plugin = join(bench.folder, 'plugin.mjs')
    const core = import.meta.resolve('@minions/core/plugin')
    const studio = new URL('../../../../packages/studio/dist/index.js', import.meta.url)
    const built = new URL('../../../../packages/core/dist/plugin/index.js', import.meta.url)
    expect(core).toContain('core')
    writeFileSync(
      plugin,
      `import { definePlugin, pluginRef } from ${JSON.stringify(built.href)}
       import { studioPages } from ${JSON.stringify(studio.href)}
       export default definePlugin({
         ref: pluginRef()('@acme/pages', 'acmePages'),
         version: '1.0.0',
         contributes: [[studioPages, [
           { id: 'find', title: 'Find objects', operation: 'objects.find' },
           { id: 'own', title: 'Own page', module: new URL('./page.mjs', import.meta.url) },
         ]]],
         setup: () => ({}),
       })`,
    )
    const url = await bench.studio(storageOf(bench.folder), '--plugin', plugin)
    const { page, close } = await bench.tab('/', url)
    const nav = page.getByRole('navigation', { name: 'Pages' })
    await nav.getByRole('link', { name: 'Own page' }).click()
    await page.getByText(/^Templates: \d+$/).waitFor()
    await nav.getByRole('link', { name: 'Find objects' }).click()
    await page.getByRole('form', { name: 'Run objects.find' }).waitFor()
    await close()
  })

  it('of a hundred thousand rows only those in view are in the page', { timeout: PATIENCE * 6 }, async () => {
    const storage = `sqlite:${join(bench.folder, 'large.db')}`
    const app = await createMinions({ storage, plugins: [] })
    for (let start = 0; start < ROWS; start += 10_000) {
      const items = Array.from({ length: 10_000 }, (_, index) => ({
        title: `Row ${start + index}`,
        fields: { content: 'x' },
      }))
      await app.createMany('note', items)
    }
    await app.close()
    const url = await bench.studio(storage)
    const { page, close } = await bench.tab('/objects?type=note&order=title', url)
    await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor()
    await page.getByText('100,000 objects.').waitFor()
    const table = page.getByRole('region', { name: 'Objects' })
    for (let step = 0; step < 12; step++) await table.press('PageDown')
    await page
      .getByRole('row', { name: /Row 10\d+/ })
      .last()
      .waitFor()
    const height = (await table.boundingBox())?.height ?? 0
    expect(await page.getByRole('row').count()).toBeLessThanOrEqual(Math.ceil(height / 40) + 50)
    await page.getByRole('searchbox', { name: 'Search the text of objects' }).fill('row 99999')
    await page.getByRole('link', { name: 'Row 99999', exact: true }).waitFor()
    expect(page.url()).toContain('q=row')
    await close()
  })
})
