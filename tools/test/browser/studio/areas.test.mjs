// @ts-check
// Types, prompts, workspaces and agents, as their pages show them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, expectAccessible, PATIENCE, run } from './studio.mjs'

const bench = new Bench()
const WORKER = 'colony-prompt-worker'

describe.skipIf(executablePath === undefined)('areas in the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('a type is changed once its plan was seen', { timeout: PATIENCE * 3 }, async () => {
    const schema = [{ name: 'author', type: 'string', required: true }]
    run(bench.folder, 'types.create', { slug: 'book', name: 'Book', schema })
    run(bench.folder, 'objects.create', { type: 'book', title: 'Notes', fields: { author: 'Ada' } })
    const { page, close } = await bench.tab('/types/book')
    await page.getByRole('heading', { name: 'Book' }).waitFor()
    const fields = page.getByRole('textbox', { name: 'Fields' })
    await fields.fill(JSON.stringify([...schema, { name: 'year', type: 'number', defaultValue: 1843 }]))
    await page.getByText('1 of 1 object').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Change the type' }).click()
    await page.getByText('The type was changed').waitFor()
    await page.getByRole('row', { name: /year/ }).waitFor()
    await close()
    expect(run(bench.folder, 'types.get', { type: 'book' }).schema).toHaveLength(2)
  })

  it('tests of a prompt are a matrix, and two versions are compared', { timeout: PATIENCE * 4 }, async () => {
    for (const [index, role] of ['worker', 'reviewer'].entries()) {
      const inputVariables = { role, goal: 'g', objective: 'o' }
      run(bench.folder, 'prompts.addTest', { prompt: WORKER, id: `test-${index}`, title: `As ${role}`, inputVariables })
    }
    const assertions = { contains: ['how sure'], maxLength: 1000 }
    run(bench.folder, 'prompts.runTests', { prompt: WORKER, version: 0, ...assertions })
    run(bench.folder, 'prompts.runTests', { prompt: WORKER, version: 1, ...assertions })
    const { page, close } = await bench.tab(`/prompts/${WORKER}?view=tests`)
    const row = page.getByRole('row', { name: /As reviewer/ })
    await row.getByText('failed').waitFor()
    await row.getByText('passed').waitFor()
    const comparison = page.getByRole('region', { name: 'Comparison' })
    await comparison.getByText('Neither version is proven better.').waitFor()
    await comparison.getByText('0.0 → 100.0', { exact: true }).waitFor()
    await expectAccessible(page)
    await close()
  })

  it('a workspace says why each rule holds, and what an agent would be told', { timeout: PATIENCE * 3 }, async () => {
    const rule = { workspace: 'waterfront', name: 'Urgent', priority: 'HIGH' }
    run(bench.folder, 'workspaces.addRule', { ...rule, condition: { type: 'state_equals', key: 'hurry', value: true } })
    const { page, close } = await bench.tab('/workspaces')
    await page.getByRole('link', { name: 'waterfront' }).click()
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByText('does not hold').waitFor()
    run(bench.folder, 'workspaces.setState', { workspace: 'waterfront', key: 'hurry', value: true })
    await page.getByText('holds', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Agent context' }).click()
    await page.getByText('Never promise a mooring.').waitFor()
    await expectAccessible(page)
    await close()
  })

  it('an agent leads to its executions, with what went in and came out', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/agents?state=completed')
    await page.getByRole('link', { name: /task_worker_01$/ }).click()
    await page.getByRole('link', { name: 'colony-worker' }).click()
    await page.getByRole('region', { name: 'Input' }).first().getByText('task_worker_01').waitFor()
    await expectAccessible(page)
    await close()
  })
})
