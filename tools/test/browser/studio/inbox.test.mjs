// @ts-check
// What a person decides in the Studio: the exact call is shown, approved, edited or rejected, and read back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, expectAccessible, PATIENCE, run } from './studio.mjs'

const bench = new Bench()

/** @param {string} query */
const ask = (query) => {
  const call = { kind: 'tool', name: 'external_search', arguments: { query } }
  return run(bench.folder, 'approvals.ask', { call, why: `It costs money: ${query}.` }, '--by', 'agent-7').approval_id
}

/** @param {string} approval */
const read = (approval) => bench.call('approvals.get', { approval })

describe.skipIf(executablePath === undefined)('the inbox of the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('shows what another process asks for, and decides on it', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab('/inbox?view=approvals')
    const approved = ask('marina')
    await page.getByText('It costs money: marina.').waitFor()
    await page.getByRole('cell', { name: 'marina' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Approve tool external_search' }).click()
    await page.getByText('tool external_search was approved.').waitFor()
    await page.getByText('Nothing to approve').waitFor()
    expect(await read(approved)).toMatchObject({ status: 'approved' })

    const rejected = ask('harbour')
    await page.getByRole('button', { name: 'Reject tool external_search' }).click()
    await page.getByText('tool external_search was rejected.').waitFor()
    expect(await read(rejected)).toMatchObject({ status: 'rejected' })

    const edited = ask('<img onerror=alert(1)>')
    await page.getByRole('cell', { name: '<img onerror=alert(1)>' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Arguments' }).fill('{"query":"pier"}')
    await page.getByRole('button', { name: 'Approve with these arguments' }).click()
    await page.getByText('tool external_search was approved with your arguments.').waitFor()
    await close()
    expect(await read(edited)).toMatchObject({
      status: 'approved',
      edit: { diff: [{ pointer: '/query', after: 'pier' }] },
    })
  })
})
