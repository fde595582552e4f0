// @ts-check
// Every flow by keyboard alone: no pointer is used, and every control is reached with Tab.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { holdMission } from './hold-mission.mjs'
import { Bench, PATIENCE, run } from './studio.mjs'

/** @import { Locator, Page } from 'playwright-core' */

const bench = new Bench()
const WORKER = 'colony-prompt-worker'

/** Presses Tab until the control has the focus. @param {Page} page @param {Locator} control */
async function tabTo(page, control) {
  await control.waitFor()
  const focused = control.and(page.locator(':focus'))
  for (let presses = 0; presses < 200; presses++) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control}.`)
}

/** @param {Page} page @param {Locator} control @param {string} [key] */
async function press(page, control, key = 'Enter') {
  await tabTo(page, control)
  await page.keyboard.press(key)
}

/** Writes into a field in place of what it has. @param {Page} page @param {Locator} field @param {string} text */
async function write(page, field, text) {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Goes to a page with the palette. @param {Page} page @param {string} title */
async function goTo(page, title) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).waitFor()
  await page.keyboard.type(title)
  await page.getByRole('option', { name: `${title} page`, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Goes to another view of the page with the arrow keys. @param {Page} page @param {string} title */
async function openTab(page, title) {
  await tabTo(page, page.getByRole('tab', { selected: true }))
  const wanted = page.getByRole('tab', { name: title, selected: true })
  for (let presses = 0; presses < 8 && (await wanted.count()) === 0; presses++) {
    const before = await page.getByRole('tab', { selected: true }).textContent()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: before ?? '', exact: true, selected: false }).waitFor()
  }
  await wanted.waitFor()
}

/** Takes back what was done last. @param {Page} page @param {string} told */
async function undo(page, told) {
  const toast = page.getByRole('status').getByText(told).locator('..')
  await press(page, toast.getByRole('button', { name: 'Undo' }))
  await page.getByText('Undone.').last().waitFor()
}

describe.skipIf(executablePath === undefined)('the Studio by keyboard alone', needsChromium, () => {
  beforeAll(async () => {
    const plugin = join(bench.folder, 'skills.mjs')
    const built = (/** @type {string} */ path) => new URL(`../../../../packages/${path}`, import.meta.url).href
    writeFileSync(
      plugin,
      `import { definePlugin, pluginRef } from ${JSON.stringify(built('core/dist/plugin/index.js'))}
       import { defineSkill, skillsRef } from ${JSON.stringify(built('skills-runtime/dist/index.js'))}
       export default definePlugin({
         ref: pluginRef()('@acme/skills', 'acmeSkills'),
         version: '1.0.0',
         deps: { skills: skillsRef },
         setup({ skills }) {
           skills.registry.registerSkill(defineSkill({
             name: 'greet',
             version: '1.0.0',
             parameters_schema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
             execute: ({ who }) => ({ text: 'Good morning, ' + who }),
           }))
           return {}
         },
       })`,
    )
    await bench.open({ args: ['--plugin', plugin] })
  }, PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('an object is created, found, changed, deleted and restored', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goTo(page, 'Objects')
    await press(page, page.getByRole('link', { name: 'New object' }))
    await page.getByRole('heading', { name: 'New object' }).waitFor()
    await tabTo(page, page.getByLabel('Type', { exact: true }))
    await page.keyboard.type('Task')
    await page.getByRole('form', { name: 'New Task' }).waitFor()
    await write(page, page.getByRole('textbox', { name: 'Title' }), 'Sweep the pier')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sweep the pier' }).waitFor()

    await goTo(page, 'Objects')
    await write(page, page.getByRole('searchbox', { name: 'Search the text of objects' }), 'sweep pi')
    await page.getByText('1 match for “sweep pi”.').waitFor()
    await tabTo(page, page.getByRole('combobox', { name: 'Type' }))
    await page.keyboard.type('Task')
    await page.getByRole('heading', { level: 1, name: 'Task' }).waitFor()
    expect(page.url()).toContain('type=task')
    await press(page, page.getByRole('link', { name: 'Sweep the pier' }))
    await page.getByRole('heading', { name: 'Sweep the pier' }).waitFor()

    await openTab(page, 'Edit')
    await write(page, page.getByRole('textbox', { name: 'Title' }), 'Sweep both piers')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sweep both piers' }).waitFor()
    await undo(page, 'Saved.')
    await page.getByRole('heading', { name: 'Sweep the pier' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Delete' }))
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    await undo(page, '“Sweep the pier” was deleted.')
    await page.getByRole('button', { name: 'Delete' }).waitFor()
    await close()
  })

  it('a table is ordered and read on', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/objects')
    await press(page, page.getByRole('button', { name: 'Title' }))
    await page
      .getByRole('columnheader', { name: 'Title', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    expect(page.url()).toContain('order=title')
    await tabTo(page, page.getByRole('region', { name: 'Objects' }))
    await page.keyboard.press('PageDown')
    await close()
  })

  it('relations are added, walked and removed', { timeout: PATIENCE * 3 }, async () => {
    for (const [id, title] of [
      ['harbour', 'Harbour'],
      ['lighthouse', 'Lighthouse'],
    ]) {
      await bench.call('objects.create', { type: 'note', id, title, fields: { content: 'x' } })
    }
    const { page, close } = await bench.tab('/objects/harbour')
    await page.getByRole('heading', { name: 'Harbour' }).waitFor()
    await openTab(page, 'Relations')
    await write(page, page.getByRole('textbox', { name: 'Object' }), 'lighth')
    await press(page, page.getByRole('button', { name: 'Link to Lighthouse' }))
    const outgoing = page.getByRole('region', { name: 'Outgoing' })
    await outgoing.getByRole('link', { name: 'Lighthouse' }).waitFor()
    const graph = page.getByRole('region', { name: 'Relations of the object' })
    await press(page, graph.getByLabel('Lighthouse', { exact: true }))
    await page.getByRole('heading', { name: 'Lighthouse' }).waitFor()
    expect(page.url()).toContain('/objects/lighthouse')
    await press(page, page.getByRole('region', { name: 'Incoming' }).getByRole('link', { name: 'Harbour' }))
    await page.getByRole('heading', { name: 'Harbour' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Remove the relation to Lighthouse' }))
    await outgoing.getByText('No relations').waitFor()
    await undo(page, 'The relation was removed.')
    await outgoing.getByRole('link', { name: 'Lighthouse' }).waitFor()
    await close()
  })

  it('a prompt is changed, published and labelled', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goTo(page, 'Prompts')
    await press(page, page.getByRole('link', { name: 'Colony: worker' }))
    await tabTo(page, page.getByRole('textbox', { name: 'Prompt text' }))
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Name the {{harbour}}.')
    // What is wrong with it is told before it is saved.
    await page
      .getByRole('list', { name: 'Findings' })
      .getByText('Variable "harbour" is used but not declared.')
      .waitFor()
    await write(page, page.getByRole('textbox', { name: 'What changed' }), 'Ask for the harbour')
    await press(page, page.getByRole('button', { name: 'Save as a new version' }))
    await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Publish 2' }))
    await page.getByText('Version 2 is published.').waitFor()
    await undo(page, 'Version 2 is published.')
    await page.getByRole('button', { name: 'Publish 2' }).waitFor()
    await openTab(page, 'Labels and splits')
    const form = page.getByRole('form', { name: 'Run prompts.setLabel' })
    await write(page, form.getByRole('textbox', { name: 'Label' }), 'staging')
    await press(page, form.getByRole('button', { name: 'Run' }))
    await page.getByRole('region', { name: 'Labels' }).getByText('staging').waitFor()
    await close()
    const labels = await bench.call('prompts.listLabels', { prompt: WORKER })
    expect(labels).toContainEqual(expect.objectContaining({ label: 'staging' }))
  })

  it('a mission is started, and one that runs is cancelled', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab('/missions')
    await press(page, page.getByRole('link', { name: 'New mission' }))
    await write(page, page.getByRole('textbox', { name: 'Goal' }), 'Who has a boat?')
    await press(page, page.getByRole('button', { name: 'Start mission' }))
    await page.getByRole('heading', { name: 'Who has a boat?' }).waitFor()
    await page.getByText('9 of 9 tasks done.').waitFor()
    const graph = page.getByRole('region', { name: 'Tasks of the mission' })
    await press(page, graph.getByLabel('research, researcher, completed'))
    await page.getByRole('region', { name: 'task_research' }).waitFor()

    const held = await holdMission(bench.folder, { mission_id: randomUUID(), user_goal: 'Cancel me' })
    await goTo(page, 'Missions')
    await press(page, page.getByRole('link', { name: 'Cancel me' }))
    await page.getByText('worker · running').first().waitFor()
    await press(page, page.getByRole('button', { name: 'Cancel' }))
    await page.getByText('The mission was cancelled. Its artifacts are kept.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect((await held.ended).status).toBe('cancelled')
    await held.app.close()
    await close()
  })

  it('calls are approved, changed and rejected', { timeout: PATIENCE * 4 }, async () => {
    /** @param {string} query */
    const ask = (query) => {
      const call = { kind: 'tool', name: `search_${query}`, arguments: { query } }
      return run(bench.folder, 'approvals.ask', { call, why: 'It costs money.' }, '--by', 'agent-7').approval_id
    }
    const asked = { pier: ask('pier'), quay: ask('quay'), dock: ask('dock') }
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goTo(page, 'Inbox')
    await press(page, page.getByRole('button', { name: 'Approve tool search_pier' }))
    await page.getByText('tool search_pier was approved.').waitFor()
    await write(page, card(page, 'quay').getByRole('textbox', { name: 'Reason' }), 'Too dear')
    await press(page, page.getByRole('button', { name: 'Reject tool search_quay' }))
    await page.getByText('tool search_quay was rejected.').waitFor()
    await press(page, card(page, 'dock').getByRole('button', { name: 'Edit' }))
    await write(page, page.getByRole('textbox', { name: 'Arguments' }), '{"query":"dry dock"}')
    await press(page, page.getByRole('button', { name: 'Approve with these arguments' }))
    await page.getByText('tool search_dock was approved with your arguments.').waitFor()
    await close()
    const read = (/** @type {string} */ approval) => bench.call('approvals.get', { approval })
    const decided = await Promise.all(Object.values(asked).map(read))
    const statuses = decided.map(({ status }) => status)
    expect(statuses).toEqual(['approved', 'rejected', 'approved'])
  })

  it('a proposal of a mission is approved', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/inbox?view=proposals')
    const proposal = page.getByRole('region', { name: 'wb_lead_317' }).first()
    await write(page, proposal.getByRole('textbox', { name: 'Reason' }), 'He asked for it.')
    await press(page, proposal.getByRole('button', { name: 'Approve wb_lead_317' }))
    await page.getByText('wb_lead_317 was approved.').waitFor()
    await close()
  })

  it('a skill is run through its form', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await goTo(page, 'Skills')
    await press(page, page.getByRole('link', { name: 'greet' }))
    await write(page, page.getByRole('textbox', { name: 'Who' }), 'Ada')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Result' }).first().getByText('Good morning, Ada').waitFor()
    await page.getByRole('region', { name: 'Executions' }).getByText('success').waitFor()
    await close()
  })

  it('an operation is run with its example', { timeout: PATIENCE * 2 }, async () => {
    const { page, close } = await bench.tab('/operations')
    await write(page, page.getByRole('searchbox', { name: 'Search operations' }), 'count minions')
    await press(page, page.getByRole('link', { name: 'objects.count' }))
    await press(page, page.getByRole('button', { name: 'How many notes there are' }))
    await press(page, page.getByRole('button', { name: 'Show' }))
    await page.getByRole('region', { name: 'Result' }).first().getByText('"count"').waitFor()
    await close()
  })
})

/** The card of a call that waits. @param {Page} page @param {string} query */
function card(page, query) {
  return page.getByRole('region', { name: `tool search_${query}` })
}
