// @ts-check
// What the Studio must not do: show more than it may, run what is stored, or hold more of a large store than it shows.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleMission } from '@minions/colony'
import { createMinions } from '@minions/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { failedRuns } from './failed-runs.mjs'
import { Bench, expectAccessible, PATIENCE, run, storageOf } from './studio.mjs'

const bench = new Bench()
const HOSTILE = '<img src=x onerror="document.body.remove()"> javascript:alert(1)'
const HOSTILE_MISSION = randomUUID()
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
  '/messages',
  '/objects/nothing',
  '/operations',
  '/nowhere',
]

/** Stores the text wherever one can be stored. */
async function storeHostile() {
  const common = { title: HOSTILE, description: HOSTILE, tags: [HOSTILE] }
  const field = { name: 'link', type: 'url', label: HOSTILE, description: HOSTILE }
  const schema = [field, { name: 'kind', type: 'select', options: [HOSTILE] }]
  await bench.call('types.create', { slug: 'hostile', name: HOSTILE, description: HOSTILE, schema })
  const fields = { kind: HOSTILE }
  for (const id of ['hostile', 'hostile-too']) {
    await bench.call('objects.create', { ...common, id, type: 'hostile', fields })
  }
  await bench.call('objects.update', { id: 'hostile', description: `${HOSTILE}!` })
  await bench.call('relations.link', { sourceId: 'hostile', targetId: 'hostile-too', type: 'references' })
  const prompt = 'hostile-prompt'
  await bench.call('prompts.create', { ...common, id: prompt, content: HOSTILE })
  await bench.call('prompts.addVersion', { prompt, content: `${HOSTILE} {{x}}`, changelog: HOSTILE })
  await bench.call('prompts.addTest', { prompt, title: HOSTILE, inputVariables: { x: HOSTILE } })
  const { envelope } = exampleMission
  const goals = { user_goal: HOSTILE, normalized_goal: HOSTILE, mission_id: HOSTILE_MISSION }
  await bench.call('missions.start', { envelope: { ...envelope, ...goals } })
  const call = { kind: 'tool', name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } }
  await bench.call('approvals.ask', { call, why: HOSTILE })
  const workspace = 'hostile'
  await bench.call('workspaces.add', { name: workspace, description: HOSTILE })
  await bench.call('workspaces.addRule', { workspace, name: HOSTILE, priority: 'HIGH', description: HOSTILE })
  await bench.call('workspaces.setState', { workspace, key: HOSTILE, value: HOSTILE })
  await bench.call('workspaces.remember', { workspace, heading: HOSTILE, facts: [HOSTILE] })
  const message = { role: HOSTILE, content: HOSTILE }
  await bench.call('workspaces.addMessage', { workspace, session: 'monday', message })
  const parameters_schema = { type: 'object', properties: { who: { type: 'string', description: HOSTILE } } }
  const skill = { name: 'hostile', version: '1.0.0', description: HOSTILE, tags: [HOSTILE.slice(0, 30)] }
  await bench.call('skills.register', { skills: [{ ...skill, parameters_schema }] })
  await bench.call('agents.spawn', { name: HOSTILE })
}

/** Words on controls that write. */
const WRITING =
  /\b(new|create|save|add|delete|remove|restore|change|publish|approve|reject|edit|run|start|resume|cancel|link)\b/i

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
    for (const path of PAGES) {
      await page.goto(new URL(`/studio${path}`, url).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('load')
      const controls = await page
        .locator('main')
        .getByRole('button')
        .or(page.locator('main a.button'))
        .allTextContents()
      expect(
        controls.filter((text) => WRITING.test(text)),
        path,
      ).toEqual([])
    }
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
    await storeHostile()
    const { mission, task, agent, execution } = await failedRuns(bench.folder, HOSTILE)
    const { page, close } = await bench.tab()
    const { origin } = new URL(bench.url)
    const views = (/** @type {string} */ path, /** @type {string[]} */ names) =>
      names.map((name) => `${path}?view=${name}`)
    const paths = [
      '/',
      '/objects',
      '/objects?type=hostile',
      '/objects/new?type=hostile',
      ...views('/objects/hostile', ['content', 'edit', 'relations', 'history', 'json']),
      '/types',
      '/types/hostile',
      '/prompts',
      ...views('/prompts/hostile-prompt', ['edit', 'versions', 'labels', 'tests']),
      '/missions',
      ...views(`/missions/${HOSTILE_MISSION}`, ['tasks', 'timeline', 'evidence', 'artifacts']),
      ...views('/inbox', ['approvals', 'proposals']),
      '/workspaces',
      ...views('/workspaces/hostile', ['graph', 'rules', 'state', 'memory', 'sessions', 'context']),
      '/skills',
      '/skills/hostile',
      '/agents',
      `/agents/${agent}`,
      `/executions/${execution}`,
      `/missions/${mission}?task=${task}`,
    ]
    for (const path of paths) {
      await page.goto(`${origin}/studio${path}`)
      const shown = page.locator('main').getByText('<img src=x').or(page.locator('main').getByRole('textbox'))
      await shown.or(page.getByRole('tabpanel')).filter({ visible: true }).first().waitFor()
      expect(await page.locator('img[src=x], a[href^="javascript:"]').count(), path).toBe(0)
    }
    await close()
  })

  it('says what was saved elsewhere meanwhile, and loses neither', { timeout: PATIENCE * 3 }, async () => {
    await bench.call('objects.create', { type: 'note', id: 'shared', title: 'Plan', fields: { content: 'One' } })
    const { page, close } = await bench.tab('/objects/shared?view=edit')
    await page.getByRole('textbox', { name: 'Title' }).fill('Plan of mine')
    run(bench.folder, 'objects.update', { id: 'shared', fields: { content: 'Two' } }, '--by', 'grace')
    await page.getByText('grace saved this object in the meantime').waitFor()
    await page.getByRole('cell', { name: 'Two' }).waitFor()
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Plan of mine' }).waitFor()
    expect(await bench.call('objects.get', { id: 'shared' })).toMatchObject({
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
    writeFileSync(join(bench.folder, 'broken.mjs'), 'export function mount() { throw new Error() }')
    const plugin = join(bench.folder, 'plugin.mjs')
    const studio = new URL('../../../../packages/studio/dist/index.js', import.meta.url)
    const core = (/** @type {string} */ path) => new URL(`../../../../packages/core/dist/${path}`, import.meta.url).href
    writeFileSync(
      plugin,
      `import { definePlugin, pluginRef } from ${JSON.stringify(core('plugin/index.js'))}
       import { defineOperation, operations } from ${JSON.stringify(core('operations/index.js'))}
       import { studioPages } from ${JSON.stringify(studio.href)}
       const greet = defineOperation({
         name: 'acme.greet',
         summary: 'Greet someone',
         access: 'read',
         input: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
         output: {},
         run: ({ who }) => 'Hello ' + who,
       })
       export default definePlugin({
         ref: pluginRef()('@acme/pages', 'acmePages'),
         version: '1.0.0',
         contributes: [[operations, [greet]], [studioPages, [
           { id: 'greet', title: 'Greeting', operation: 'acme.greet' },
           { id: 'own', title: 'Own page', module: new URL('./page.mjs', import.meta.url) },
           { id: 'broken', title: 'Broken page', module: new URL('./broken.mjs', import.meta.url) },
         ]]],
         setup: () => ({}),
       })`,
    )
    const url = await bench.studio(storageOf(bench.folder), '--plugin', plugin)
    const { page, close } = await bench.tab('/', url)
    const nav = page.getByRole('navigation', { name: 'Pages' })
    await nav.getByRole('link', { name: 'Own page' }).click()
    await page.getByText(/^Templates: \d+$/).waitFor()
    // Also if the error says nothing.
    await nav.getByRole('link', { name: 'Broken page' }).click()
    await page.getByText("The plugin's page failed").waitFor()
    await nav.getByRole('link', { name: 'Greeting' }).click()
    await page.getByRole('textbox', { name: 'Who' }).fill('Ada')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('region', { name: 'Result' }).first().getByText('Hello Ada').waitFor()
    await nav.getByRole('link', { name: 'Operations' }).click()
    await page.getByRole('link', { name: 'acme.greet' }).waitFor()
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
    const { page, close } = await bench.tab('/', url)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    /** @type {string[]} */
    const calls = []
    page.on('request', (request) => {
      const [, operation] = /api\/operations\/(.*)/.exec(request.url()) ?? []
      if (operation !== undefined) calls.push(operation)
    })
    // The page before may still be calling until the new one has arrived.
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) calls.length = 0
    })
    await page.goto(`${new URL(url).origin}/studio/objects?type=note&order=title`)
    await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor()
    // The rows are asked for at once, not after what the key may do, and before anything that takes longer.
    expect(calls.indexOf('objects.find')).toBeLessThan(calls.indexOf('operations.list'))
    expect(calls.slice(0, calls.indexOf('objects.find'))).not.toContain('objects.count')
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
