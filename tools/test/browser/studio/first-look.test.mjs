// @ts-check
// What a user sees first: the overview, objects, the palette, and every operation with a form.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, expectAccessible, PATIENCE, run } from './studio.mjs'

const bench = new Bench()

describe.skipIf(executablePath === undefined)('the Studio on the data of the demo', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('says what is in the store, and takes the key out of the address', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const card = page.getByRole('region', { name: 'In the store' })
    await card.getByRole('link', { name: 'Prompt Template' }).waitFor()
    expect(page.url()).not.toContain('key')
    await page.reload()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    // A link in a new tab works: the tabs of one page share the key.
    const second = await page.context().newPage()
    await second.goto(new URL('/studio/types', page.url()).href)
    await second.getByRole('link', { name: 'Note' }).waitFor({ timeout: PATIENCE })
    await second.close()
    await expectAccessible(page)
    await close()
  })

  it('shows an object that another program creates, without being asked', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/objects?type=note')
    await page.getByText('No objects').waitFor()
    const hostile = '<img src=x onerror="document.title=1">'
    run(bench.folder, 'objects.create', { type: 'note', title: hostile, fields: { content: 'javascript:alert(1)' } })
    await page.getByRole('link', { name: hostile }).click()
    await page.getByRole('heading', { name: hostile }).waitFor()
    await page.getByText('javascript:alert(1)').waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    await expectAccessible(page)
    await close()
  })

  it('creates, changes and deletes an object through forms, and takes it back', { timeout: PATIENCE * 3 }, async () => {
    const { page, close } = await bench.tab('/objects')
    await page.getByRole('link', { name: 'New object' }).click()
    await page.getByRole('heading', { name: 'New object' }).waitFor()
    await page.getByLabel('Type').selectOption('Task')
    await page.getByRole('textbox', { name: 'Title' }).fill('Water the plants')
    await page.getByLabel('Status', { exact: true }).selectOption('todo')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Water the plants' }).waitFor()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Water the garden')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Water the garden' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Water the garden” was deleted.').waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: 'was deleted' })
      .getByRole('button', { name: 'Undo' })
      .last()
      .click()
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    await close()
  })

  it('finds everything from the keyboard', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or go to' }).waitFor()
    await page.keyboard.type('count minions')
    await page.getByRole('option', { name: 'objects.count' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'objects.count' }).waitFor()
    await page.getByRole('button', { name: 'Show' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Result' }).getByText('"count"').waitFor()
    await expectAccessible(page)
    await close()
  })

  it('offers every operation that the key may run', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/operations')
    await page.getByRole('link', { name: 'objects.create', exact: true }).waitFor()
    const all = run(bench.folder, 'operations.list', {})
    const listed = await page.locator('main').getByRole('listitem').getByRole('link').allTextContents()
    // The command has no Studio and no audit log of its own.
    expect(listed).toEqual(expect.arrayContaining(all.map((/** @type {{ name: string }} */ { name }) => name)))
    await expectAccessible(page)
    await close()
  })
})
