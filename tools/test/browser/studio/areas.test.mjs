// @ts-check
// Types, prompts, workspaces and agents, as their pages show them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { failedRuns } from './failed-runs.mjs'
import { Bench, expectAccessible, PATIENCE, run } from './studio.mjs'

const bench = new Bench()
const WORKER = 'colony-prompt-worker'

describe.skipIf(executablePath === undefined)('areas in the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('a type is changed once its plan was seen', { timeout: PATIENCE * 3 }, async () => {
    const schema = [{ name: 'author', type: 'string', required: true }]
    await bench.call('types.create', { slug: 'book', name: 'Book', schema })
    await bench.call('objects.create', { type: 'book', title: 'Notes', fields: { author: 'Ada' } })
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
    expect((await bench.call('types.get', { type: 'book' })).schema).toHaveLength(2)
  })

  it('tests of a prompt are a matrix, and two versions are compared', { timeout: PATIENCE * 4 }, async () => {
    for (const [index, role] of ['worker', 'reviewer'].entries()) {
      const inputVariables = { role, goal: 'g', objective: 'o' }
      await bench.call('prompts.addTest', { prompt: WORKER, id: `test-${index}`, title: `As ${role}`, inputVariables })
    }
    const assertions = { contains: ['how sure'], maxLength: 1000 }
    await bench.call('prompts.runTests', { prompt: WORKER, version: 0, ...assertions })
    await bench.call('prompts.runTests', { prompt: WORKER, version: 1, ...assertions })
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

  it('a draft is checked as it is typed, and a chat prompt stays one', { timeout: PATIENCE * 3 }, async () => {
    await bench.call('prompts.create', {
      id: 'chat',
      title: 'Chat',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '{{request}}' },
      ],
      settings: { temperature: 0.2 },
    })
    const { page, close } = await bench.tab('/prompts/chat')
    const findings = page.getByRole('list', { name: 'Findings' })
    await findings.getByText('Variable "request" is used but not declared.').waitFor()
    const save = page.getByRole('button', { name: 'Save as a new version' })
    await page.getByRole('textbox', { name: 'Prompt text' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' in {{language')
    await page
      .getByRole('alert')
      .getByText(/Template error in line 5/)
      .waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.keyboard.type('}}')
    await findings.getByText('Variable "language" is used but not declared.').waitFor()
    await save.click()
    await page.getByRole('heading', { name: 'From version 0 to 1' }).waitFor()
    await close()
    const [, version] = await bench.call('prompts.history', { prompt: 'chat' })
    expect(version.fields).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user', content: '{{request}} in {{language}}' }],
      settings: { temperature: 0.2 },
    })
  })

  it('a type of a stranger has a table and a form without code', { timeout: PATIENCE * 2 }, async () => {
    await bench.call('types.create', {
      slug: 'boat',
      name: 'Boat',
      schema: [
        { name: 'berth', type: 'number', required: true, label: 'Berth' },
        { name: 'rig', type: 'select', options: ['sloop', 'ketch'] },
      ],
    })
    const { page, close } = await bench.tab('/objects?type=boat')
    await page.getByRole('heading', { level: 1, name: 'Boat' }).waitFor()
    await page.getByRole('link', { name: 'New object' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Isabel')
    await page.getByRole('spinbutton', { name: 'Berth' }).fill('4')
    await page.getByRole('combobox', { name: 'Rig' }).selectOption('ketch')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Isabel' }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Types' }).click()
    await page.getByRole('heading', { level: 1, name: 'Types' }).waitFor()
    await page.getByRole('link', { name: 'Boat' }).click()
    await page.getByRole('link', { name: 'Show objects' }).click()
    await page.getByRole('row', { name: /Isabel 4 ketch/ }).waitFor()
    await close()
  })

  it('a workspace says why each rule holds, and what an agent would be told', { timeout: PATIENCE * 3 }, async () => {
    const rule = { workspace: 'waterfront', name: 'Urgent', priority: 'HIGH' }
    await bench.call('workspaces.addRule', { ...rule, condition: { type: 'state_equals', key: 'hurry', value: true } })
    const { page, close } = await bench.tab('/workspaces')
    await page.getByRole('link', { name: 'waterfront' }).click()
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByText('does not hold').waitFor()
    run(bench.folder, 'workspaces.setState', { workspace: 'waterfront', key: 'hurry', value: true })
    await page.getByText('holds', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Memory' }).click()
    await page.getByRole('region', { name: 'Facts' }).getByText('Call before you write.').waitFor()
    await page.getByRole('textbox', { name: 'Heading' }).fill('Berths')
    await page.getByRole('textbox', { name: 'Facts' }).fill('Berth 4, the long one, is let.')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('region', { name: 'Facts' }).getByText('- Berth 4, the long one, is let.').waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Agent context' }).click()
    await page.getByText('Berth 4, the long one, is let.').waitFor()
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

  it('an agent shows its messages, and an execution its retries, log and failure', {
    timeout: PATIENCE * 2,
  }, async () => {
    const { agent } = await failedRuns(bench.folder, 'the pump is stuck')
    const { page, close } = await bench.tab(`/agents/${agent}`)
    await page.getByText('Why it failed').waitFor()
    const received = page.getByRole('region', { name: 'Received messages' })
    await received.getByText('the pump is stuck').waitFor()
    await received.getByText(/ago|now/).waitFor()
    await page.getByRole('region', { name: 'Sent messages' }).getByText('event').waitFor()
    await page.getByRole('link', { name: 'flaky' }).click()
    await page.getByText('1 retry').waitFor()
    await page.getByRole('region', { name: 'Log' }).getByText('attempt of the pump is stuck').first().waitFor()
    await expectAccessible(page)
    await close()
  })
})
