// @ts-check
// Checks all operations and their page: `npm run check:operations`, on built packages; with `--write` the page is written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { operationsOf } from '@minions/core/operations'
import { root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { withEveryPlugin } from './app.mjs'
import { operationsPage } from './page.mjs'
import { operationProblems } from './problems.mjs'

const PAGE = 'docs/operations.md'

const { count, problems } = await operationProblems(withEveryPlugin)
const page = operationsPage(await withEveryPlugin(async (app) => [...operationsOf(app).values()]))
const file = join(root, PAGE)
if (argv.includes('--write')) writeFileSync(file, page)
else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
  problems.push(`${PAGE} is out of date; run npm run docs`)
}
reportProblems('operations', problems, `${count} operations are described and their examples run`)
