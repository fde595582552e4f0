// @ts-check
// What happens to people every day: a narrow window, a reload in the middle, a key that is revoked, a mistyped address.
import { createMinions } from '@minions/host'
import { defineSkill, skills } from '@minions/skills-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, expectAccessible, minions, PATIENCE, run, storageOf } from './studio.mjs'

/** @import { Locator, Page } from 'playwright-core' */

const bench = new Bench()

/** Types behind the end of the text of the prompt, and sees it in the preview. @param {Page} page @param {string} text */
async function append(page, text) {
  const editor = page.getByRole('textbox', { name: 'Prompt text' })
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
  await page.getByRole('region', { name: 'Rendered text' }).getByText(text.trim()).waitFor()
  return editor
}

/** The part of a box that lies within another one, from 0 to 1. @param {Locator} inner @param {Locator} outer */
async function shareInView(inner, outer) {
  const [a, b] = await Promise.all([inner.boundingBox(), outer.boundingBox()])
  if (!a || !b || a.width * a.height === 0) return 0
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return (Math.max(0, width) * Math.max(0, height)) / (a.width * a.height)
}

/** A promise that the test resolves. */
function signal() {
  let resolve = () => {}
  const promise = /** @type {Promise<void>} */ (
    new Promise((settle) => {
      resolve = () => settle(undefined)
    })
  )
  return { promise, resolve: () => resolve() }
}

describe.skipIf(executablePath === undefined)('the Studio day by day', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('a narrow window shows what each row is about', { timeout: PATIENCE * 3 }, async () => {
    const { page, close } = await bench.tab('/objects')
    for (const width of [1024, 640, 375]) {
      await page.setViewportSize({ width, height: 800 })
      const cell = page.getByRole('cell', { name: 'Colony: worker' }).first()
      await expect.poll(() => shareInView(cell.getByRole('link'), cell), { timeout: PATIENCE }).toBe(1)
      expect(await shareInView(cell, page.getByRole('region', { name: 'Objects' }))).toBe(1)
    }
    await page.goto(`${new URL(bench.url).origin}/studio/prompts/colony-prompt-worker?view=versions`)
    const what = page.getByText('Ask for a confidence').first()
    await what.waitFor()
    expect(await shareInView(page.getByRole('listitem').getByRole('time').first(), what)).toBe(0)
    const description = 'Unbreakable'.repeat(100)
    const { id } = await bench.call('workspaces.add', { name: 'long', description })
    await page.goto(`${new URL(bench.url).origin}/studio/workspaces/${id}`)
    const about = page.getByText(description)
    await about.waitFor()
    const [text, main] = await Promise.all([about.boundingBox(), page.getByRole('main').boundingBox()])
    expect(text?.width).toBeLessThanOrEqual(main?.width ?? 0)
    await close()
  })

  it('a prompt that is being written outlives a reload and a version of somebody else', {
    timeout: PATIENCE * 4,
  }, async () => {
    const { page, close } = await bench.tab('/prompts/colony-prompt-researcher')
    await page.getByRole('button', { name: 'Save as a new version' }).waitFor()
    const editor = await append(page, ' Cite it.')
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await editor.getByText('Cite it.').waitFor()
    await page.reload()
    await editor.getByText('Cite it.').waitFor()
    const theirs = { prompt: 'colony-prompt-researcher', content: 'Look it up, {{role}}.', changelog: 'Shorter' }
    run(bench.folder, 'prompts.addVersion', theirs, '--by', 'grace')
    await page.getByText('Version 1 was saved in the meantime').waitFor()
    await editor.getByText('Cite it.').waitFor()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await append(page, ' Twice.')
    await page.getByRole('button', { name: 'Discard the draft' }).click()
    await editor.getByText('Twice.').waitFor({ state: 'detached' })
    await editor.getByText('Cite it.').waitFor()
    await close()
  })

  it('an object that is being changed outlives a reload, and deleting it leaves it in view', {
    timeout: PATIENCE * 3,
  }, async () => {
    await bench.call('objects.create', { type: 'note', id: 'half', title: 'Half', fields: { content: 'Written' } })
    const { page, close } = await bench.tab('/objects/half?view=edit')
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Half changed')
    await page.getByRole('tab', { name: 'Relations' }).click()
    await page.reload()
    await page.getByRole('tab', { name: 'Edit' }).click()
    expect(await title.inputValue()).toBe('Half changed')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await title.inputValue()).toBe('Half')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('tab', { name: 'Content', selected: true }).waitFor()
    await page.getByText('Written').waitFor()
    await close()
  })

  it('what is not JSON is never sent in place of what was there before', { timeout: PATIENCE * 3 }, async () => {
    const call = { kind: 'tool', name: 'pay', arguments: { amount: 5 } }
    run(bench.folder, 'approvals.ask', { call, why: 'It costs money.' }, '--by', 'grace')
    const { page, close } = await bench.tab('/inbox?view=approvals')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('form', { name: 'Edit tool pay' })
    const field = form.getByRole('textbox', { name: 'Arguments' })
    await field.fill('{ "amount": 1000 }')
    await field.fill('{ "amount": 1')
    await form.getByRole('button', { name: 'Approve with these arguments' }).click()
    await form.getByText('This is not JSON').waitFor()
    expect((await bench.call('approvals.list', {})).items[0]).toMatchObject({ status: 'pending' })
    await field.fill('{ "amount": 1 }')
    await form.getByRole('button', { name: 'Approve with these arguments' }).click()
    await page.getByText('tool pay was approved with your arguments.').waitFor()
    expect((await bench.call('approvals.list', {})).items[0]).toMatchObject({ edit: { arguments: { amount: 1 } } })
    await page.getByRole('combobox', { name: 'Show' }).selectOption('All')
    await page.getByRole('table', { name: 'Arguments that were approved' }).getByRole('cell', { name: '1' }).waitFor()
    await close()
  })

  it('what is not JSON leaves the field as it was, also in a form that was left', {
    timeout: PATIENCE * 3,
  }, async () => {
    await bench.call('types.create', { slug: 'gauge', name: 'Gauge', schema: [{ name: 'data', type: 'json' }] })
    await bench.call('objects.create', { type: 'gauge', id: 'gauge', title: 'Gauge', fields: { data: { level: 1 } } })
    const { page, close } = await bench.tab('/objects/gauge?view=edit')
    const field = page.getByRole('textbox', { name: 'Data' })
    await field.fill('{ "level": ')
    await page.getByText('This is not JSON').waitFor()
    await page.getByRole('tab', { name: 'Relations' }).click()
    await page.getByRole('tab', { name: 'Edit' }).click()
    expect(JSON.parse(await field.inputValue())).toEqual({ level: 1 })
    await page.getByRole('textbox', { name: 'Title' }).fill('Tide gauge')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await bench.call('objects.get', { id: 'gauge' })).toMatchObject({ fields: { data: { level: 1 } } })
    await close()
  })

  it('what was saved is no draft any more, even if the form was left before the answer', {
    timeout: PATIENCE * 3,
  }, async () => {
    await bench.call('objects.create', { type: 'task', id: 'left', title: 'Left' })
    const { page, close } = await bench.tab('/objects/left?view=edit')
    const [asked, answered] = [signal(), signal()]
    await page.route('**/api/operations/objects.update', async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await answered.promise
      await route.fulfill({ response })
    })
    await page.getByRole('textbox', { name: 'Title' }).fill('Left early')
    await page.getByRole('button', { name: 'Save' }).click()
    await asked.promise
    await page.getByRole('tab', { name: 'Relations' }).click()
    const done = page.waitForResponse('**/api/operations/objects.update')
    answered.resolve()
    await done
    await expect.poll(() => page.evaluate('sessionStorage.getItem("minions-studio-draft object left")')).toBe(null)
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.getByText('saved in the meantime').waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Left early')
    await close()
  })

  it('a form can have fields of any name, and a version is a number or an id', { timeout: PATIENCE * 3 }, async () => {
    const names = ['matches', 'parentNode', 'setAttribute', 'submit']
    const schema = names.map((name) => ({ name, type: 'string' }))
    await bench.call('types.create', { slug: 'odd', name: 'Odd', schema })
    const { page, close } = await bench.tab('/objects/new?type=odd')
    const form = page.getByRole('form', { name: 'New Odd' })
    await form.getByRole('textbox', { name: 'Set attribute' }).fill('x')
    expect(await form.evaluate((element) => [typeof element.matches, typeof element.setAttribute])).toEqual([
      'function',
      'function',
    ])
    await page.goto(`${new URL(bench.url).origin}/studio/prompts/colony-prompt-worker?view=labels`)
    const label = page.getByRole('form', { name: 'Run prompts.setLabel' })
    await label.getByRole('textbox', { name: 'Label' }).fill('candidate')
    const version = label.getByRole('textbox', { name: 'Version' })
    await version.fill('nothing-like-it')
    await label.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The operation failed').waitFor()
    await version.fill('1')
    await label.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('listitem').filter({ hasText: 'candidate' }).getByText('version 1').waitFor()
    await close()
  })

  it('a key that is revoked ends at the door, and another one goes on where it was', {
    timeout: PATIENCE * 4,
  }, async () => {
    const storage = ['--storage', storageOf(bench.folder), '--json']
    const create = () => JSON.parse(minions(bench.folder, 'keys', 'create', '--owner', 'ada', ...storage))
    const first = create()
    const { page, close } = await bench.tab('/objects', `${new URL(bench.url).origin}/#key=${first.key}`)
    await page.getByRole('heading', { name: 'Objects' }).waitFor()
    minions(bench.folder, 'keys', 'revoke', first.record.id, '--yes', ...storage)
    await page.getByRole('link', { name: 'Prompts' }).click()
    await page.getByText('The key is not valid').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Key').fill(create().key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Prompts' }).waitFor()
    await page.getByRole('link', { name: 'Colony: worker' }).waitFor()
    await close()
  })

  it('a link that is followed right after a search was typed is followed', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/operations')
    const link = page.getByRole('link', { name: 'objects.count' })
    await link.waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    /** @type {() => void} */
    let letThrough = () => {}
    const isLate = new Promise((resolve) => {
      letThrough = () => resolve(undefined)
    })
    await page.route('**/operation-page-*.js', async (route) => {
      await isLate
      await route.continue()
    })
    await page.getByRole('searchbox', { name: 'Search operations' }).pressSequentially('count minions')
    await link.press('Enter')
    // The search counts after a pause, while the page that was asked for is still on its way.
    await page.clock.runFor(10_000)
    letThrough()
    await page.getByRole('heading', { level: 1, name: 'objects.count' }).waitFor()
    await close()
  })

  it('the palette shows what is selected, and gives the focus back', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/objects')
    const button = page.getByRole('link', { name: 'New object' })
    await button.focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('list')
    const options = page.getByRole('option')
    await expect.poll(() => options.count(), { timeout: PATIENCE }).toBeGreaterThan(7)
    await page.keyboard.press('ArrowUp')
    await expect
      .poll(() => shareInView(page.getByRole('option', { selected: true }), page.getByRole('listbox')))
      .toBe(1)
    await page.keyboard.press('Escape')
    await button.and(page.locator(':focus')).waitFor()
    await close()
  })

  it('an address that names nothing says so, and a view that there is none of shows the first one', {
    timeout: PATIENCE * 4,
  }, async () => {
    const { page, close } = await bench.tab('/objects/nothing')
    const { origin } = new URL(bench.url)
    await page.getByRole('heading', { name: 'The object cannot be shown', level: 1 }).waitFor()
    expect(await page.title()).toContain('The object cannot be shown')
    await page.goto(`${origin}/studio/pages/nothing`)
    await page.getByRole('heading', { name: 'The page cannot be shown', level: 1 }).waitFor()
    for (const path of ['/prompts/colony-prompt-worker', '/inbox', '/objects/colony-prompt-worker']) {
      await page.goto(`${origin}/studio${path}?view=nothing`)
      await page.getByRole('tab', { selected: true }).waitFor()
    }
    await page.goto(`${origin}/studio/agents?state=nothing`)
    await page.getByText('The agents cannot be shown').waitFor()
    await close()
  })

  it('the latest executions are shown, however many there were before', { timeout: PATIENCE * 4 }, async () => {
    const facts = { name: 'tally', version: '1.0.0', parameters_schema: { type: 'object' }, max_retries: 0 }
    await bench.call('skills.register', { skills: [facts] })
    const tally = defineSkill({
      ...facts,
      execute({ isLast }) {
        if (isLast) throw new Error('The last one fails.')
        return {}
      },
    })
    const app = await createMinions({ storage: storageOf(bench.folder), plugins: [skills()] })
    app.skills.registry.registerAll([tally])
    for (let number = 1; number <= 100; number++) await app.skills.execute('tally', {})
    await app.skills.execute('tally', { isLast: true }).catch(() => undefined)
    await app.close()
    const { page, close } = await bench.tab('/skills/tally')
    await page.getByText('failed', { exact: true }).waitFor()
    await page.getByText('These are the 100 latest.').waitFor()
    await close()
  })

  it('the latest messages are shown, however many there were before', {
    timeout: PATIENCE * 4,
  }, async () => {
    const [{ agent_id: agent }] = await bench.call('agents.list', { limit: 1 })
    const { page, close } = await bench.tab('/messages')
    for (let number = 1; number <= 101; number++) {
      await bench.call('messages.send', { from: agent, topic: 'harbour', payload: { number }, ttl: 3600 })
    }
    const latest = page.getByRole('list', { name: 'Latest messages' })
    await latest.getByText('{"number":101}').waitFor()
    await latest.getByRole('link').first().click()
    await page.getByRole('list', { name: 'Sent messages' }).getByText('{"number":101}').waitFor()
    await close()
  })

  it('says so when an object has more relations than it shows', { timeout: PATIENCE * 3 }, async () => {
    const app = await createMinions({ storage: storageOf(bench.folder) })
    const titles = Array.from({ length: 202 }, (_, index) => ({ title: `Berth ${index}` }))
    const [harbour, ...berths] = await app.createMany('task', titles)
    if (!harbour) throw new Error('Nothing was created.')
    await app.transaction(async (tx) => {
      for (const { id } of berths) await tx.link({ sourceId: harbour.id, targetId: id, type: 'references' })
    })
    await app.close()
    const { page, close } = await bench.tab(`/objects/${harbour.id}?view=relations`)
    await page.getByText('There are more: only the first 200 in each direction are shown.').waitFor()
    await close()
  })
})
