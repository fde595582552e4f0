// Checks and imports data sets that are never whole in memory, with a small heap: rows to import, and rows to check.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'

const [imported, checked] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'minions-rows-'))

function* csv(rows) {
  yield 'name,test.contains\n'
  for (let row = 0; row < rows; row++) yield `${row} ${'x'.repeat(1000)},${row}\n`
}

const app = await createMinions({ storage: `sqlite:${join(folder, 'a.db')}`, plugins: [prompts()] })
try {
  await app.prompts.create({ title: 'P', content: '{{name}}' })
  process.stdout.write(`${await app.prompts.tests.import('p', 'csv', () => csv(imported))} rows\n`)
  const broken = function* () {
    yield* csv(checked)
    yield 'one,cell,too many\n'
  }
  await app.prompts.tests.import('p', 'csv', broken).catch(({ message }) => process.stdout.write(`${message}\n`))
  process.stdout.write(`${(await app.prompts.tests.list('p')).length} tests\n`)
} finally {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}
