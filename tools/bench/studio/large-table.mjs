// @ts-check
// A table of a hundred thousand objects: how soon its first rows are there, in every order and with every filter.
import { join } from 'node:path'
import { createMinions } from '@minions/host'
import { describe } from '../measure.mjs'
import { withDeadline } from './deadline.mjs'

/** @import { Page } from 'playwright-core' */
/** @import { Bench } from '../area.mjs' */
/** @import { Bench as StudioBench } from '../../test/browser/studio/studio.mjs' */

const ROWS = 100_000
const ROUNDS = 5
const MOST_BEYOND = 50
const FROM = 'what a person notices'
const WORDS = 'harbour lantern copper meadow signal quartz ember willow canyon drift'.split(' ')

/** What the page offers; the address says it. */
const VIEWS = {
  orders: ['', 'order=createdAt', 'order=title', 'order=-title', 'order=updatedAt', 'order=-updatedAt'].flatMap(
    (order) => [`type=note&${order}`, order],
  ),
  filters: [
    'type=note&status=todo',
    'status=todo&order=title',
    'type=note&tag=topic7',
    'tag=topic7&order=-updatedAt',
    'type=note&tag=missing',
    'type=note&status=cancelled',
    'type=note&status=todo&tag=topic7&order=title',
    'type=note&deleted=yes&order=title',
  ],
  searches: ['q=row', 'q=har', 'q=lantern+rare77', 'type=note&q=co', 'type=note&status=todo&q=ember'],
}

/** @param {Bench} bench @param {StudioBench} studio */
export async function largeTable(bench, studio) {
  const storage = `sqlite:${join(studio.folder, 'large.db')}`
  await fill(storage)
  const url = await studio.studio(storage)
  const { page, close } = await studio.tab('/', url)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const { origin } = new URL(url)
  const settled = (/** @type {string} */ what) => withDeadline(what, whenSettled(page))
  for (const [kind, views] of Object.entries(VIEWS)) {
    /** @type {{ view: string, median: number }[]} */
    const medians = []
    for (const view of views) {
      const times = []
      for (let round = 0; round < ROUNDS; round++) {
        await page.goto(`${origin}/studio/objects?${view}`)
        times.push(await settled(`rows of objects?${view}`))
      }
      medians.push({ view, median: describe(times).median })
    }
    report(bench, `first rows of 100,000 objects, ${kind}, from the beginning of the page's load`, medians)
  }
  await typed(bench, page, `${origin}/studio/objects?type=note`)
  await scrolled(bench, page, `${origin}/studio/objects?type=note`)
  await close()
}

/** @param {string} storage */
async function fill(storage) {
  const app = await createMinions({ storage, plugins: [] })
  for (let begin = 0; begin < ROWS; begin += 10_000) {
    const inputs = Array.from({ length: 10_000 }, (_, offset) => {
      const index = begin + offset
      return {
        title: `Row ${(index * 7919) % ROWS}`,
        status: /** @type {'todo' | 'active'} */ (index % 4 === 0 ? 'todo' : 'active'),
        tags: [`topic${index % 50}`],
        fields: { content: `${WORDS[index % 10]} ${WORDS[(index * 7) % 10]} batch${index % 97} rare${index % 2000}` },
      }
    })
    await app.createMany('note', inputs)
  }
  await app.close()
}

/** From a key to the rows for all that was typed so far. @param {Bench} bench @param {Page} page @param {string} address */
async function typed(bench, page, address) {
  /** @type {{ view: string, median: number }[]} */
  const medians = []
  const box = page.getByRole('searchbox', { name: 'Search the text of objects' })
  for (const words of ['harbour rare77', 'row 4711']) {
    await page.goto(address)
    await withDeadline('the table to search in', whenSettled(page))
    await box.focus()
    let text = ''
    for (const key of words) {
      text += key
      await page.evaluate(
        "globalThis.typedAt = undefined; addEventListener('keydown', () => { typedAt = performance.now() }, { once: true, capture: true })",
      )
      await page.keyboard.press(key === ' ' ? 'Space' : key)
      const shown = await withDeadline(`rows for “${text}”`, whenSettled(page, text.trim()))
      const begun = /** @type {number} */ (await page.evaluate('typedAt'))
      medians.push({ view: text, median: shown - begun })
    }
  }
  report(
    bench,
    'rows for what is typed into the search box of 100,000 objects, from the key, the pause included',
    medians,
  )
}

/** @param {Bench} bench @param {Page} page @param {string} address */
async function scrolled(bench, page, address) {
  await page.goto(address)
  await withDeadline('the table to scroll', whenSettled(page))
  const beyond = /** @type {number} */ (
    await withDeadline(
      'the table scrolls',
      page.evaluate(`(async () => {
        const table = document.querySelector('.table-scroll')
        let most = 0
        for (let step = 0; step < 200; step++) {
          table.scrollTop += table.clientHeight * 0.7
          await new Promise(requestAnimationFrame)
          const { top, bottom } = table.getBoundingClientRect()
          const rows = [...table.querySelectorAll('tbody tr:not(.spacer)')]
          const hidden = rows.filter((row) => row.getBoundingClientRect().bottom < top || row.getBoundingClientRect().top > bottom)
          most = Math.max(most, hidden.length)
        }
        return most
      })()`),
    )
  )
  bench.value({
    name: 'rows beyond the view that are in the page, while a table of 100,000 is scrolled',
    value: beyond,
    unit: 'rows',
    bar: MOST_BEYOND,
    from: 'a limit',
  })
}

/** The slowest of what was measured. @param {Bench} bench @param {string} name @param {{ view: string, median: number }[]} medians */
function report(bench, name, medians) {
  const ordered = medians.toSorted((a, b) => b.median - a.median)
  const [slowest] = ordered
  if (!slowest) throw new Error(`${name}: nothing was measured`)
  for (const { view, median } of ordered) console.error(`  ${median.toFixed(0)} ms  ${view}`)
  bench.value({
    name,
    value: slowest.median,
    unit: 'ms',
    bar: 300,
    from: FROM,
    note: `the slowest of ${medians.length}: “${slowest.view}”; the median ${describe(medians.map(({ median }) => median)).median.toFixed(0)} ms`,
  })
}

/**
 * Milliseconds from the beginning of a page's load until the table shows the rows that were asked for, or says that there are
 * none.
 *
 * @param {Page} page
 * @param {string} [searched] the text that they were searched for
 */
async function whenSettled(page, searched) {
  return /** @type {Promise<number>} */ (
    page.evaluate(`new Promise((resolve) => {
      const wanted = ${JSON.stringify(searched)}
      const look = () => {
        const isSearched = wanted === undefined || document.querySelector('main .about')?.textContent.endsWith('“' + wanted + '”.')
        const isThere = document.querySelector('main .table-scroll:not([aria-busy=true]) tbody a, main .empty-title')
        if (isSearched && isThere) resolve(performance.now())
        else requestAnimationFrame(look)
      }
      look()
    })`)
  )
}
