// @ts-check
// What a person does in the first five minutes, without documentation: find why a task failed, change its prompt, see the
// difference, run it again, and approve what it proposes.
import { afterAll, beforeAll, describe, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, PATIENCE } from './studio.mjs'

const bench = new Bench()
const WORKER = 'colony-prompt-worker'

describe.skipIf(executablePath === undefined)('five minutes in the Studio', needsChromium, () => {
  beforeAll(async () => {
    await bench.open()
    // A version was published that asks for a value which no mission gives.
    const { fields } = await bench.call('prompts.get', { prompt: WORKER })
    const content = `${fields.content}\nThe budget is {{budget}}.`
    await bench.call('prompts.addVersion', { prompt: WORKER, id: 'broken', content, changelog: 'Name the budget' })
    await bench.call('prompts.publish', { prompt: 'broken' })
  }, PATIENCE * 4)
  afterAll(() => bench.close(), PATIENCE)

  it('from a failed task to an approved proposal', { timeout: PATIENCE * 6 }, async () => {
    const { page, close } = await bench.tab('/')
    const nav = page.getByRole('navigation', { name: 'Pages' })
    await nav.getByRole('link', { name: 'Missions' }).click()
    await page.getByRole('link', { name: 'New mission' }).click()
    await page.getByRole('textbox', { name: 'Goal' }).fill('Who should we call first?')
    await page.getByRole('button', { name: 'Start mission' }).click()
    await page.getByRole('heading', { name: 'Who should we call first?' }).waitFor()

    // Why did it fail?
    await page.getByText('failed', { exact: true }).first().waitFor()
    const failure = page.getByRole('alert').filter({ hasText: 'Why it failed' })
    await failure.getByText('budget').waitFor()

    // Change the prompt and see the difference.
    await nav.getByRole('link', { name: 'Prompts' }).click()
    await page.getByRole('link', { name: 'Colony: worker' }).click()
    const editor = page.getByRole('textbox', { name: 'Prompt text' })
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('Say how sure you are.')
    await page.getByRole('region', { name: 'Rendered text' }).getByText('Say how sure you are.').waitFor()
    await page.getByLabel('What changed').fill('Ask for no budget')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByRole('heading', { name: /^From version \d to \d$/ }).waitFor()
    await page.getByText('Say how sure you are.').first().waitFor()
    await page.getByText('The budget is').first().waitFor()
    await page
      .getByRole('button', { name: /^Publish \d$/ })
      .first()
      .click()
    await page.getByText(/Version \d is published\./).waitFor()

    // Run it again.
    await nav.getByRole('link', { name: 'Missions' }).click()
    await page.getByRole('link', { name: 'Who should we call first?' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('9 of 9 tasks done.').waitFor()

    // Approve what it proposes.
    await nav.getByRole('link', { name: 'Inbox' }).click()
    const proposal = page.getByRole('region', { name: 'wb_lead_123' }).last()
    await proposal.getByText('Negotiation').waitFor()
    await proposal.getByRole('textbox', { name: 'Reason' }).fill('She asked for it.')
    await proposal.getByRole('button', { name: 'Approve wb_lead_123' }).click()
    await page.getByText('wb_lead_123 was approved.').waitFor()
    await close()
  })
})
