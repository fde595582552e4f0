// @ts-check
// The long run of random queries: `npm run fuzz -- queries`. Each backend answers 50,000 of them on stores of four
// sizes, and every answer is compared with that of a model which looks at every record. `MINIONS_FUZZ=100` doubles
// their number, `MINIONS_FUZZ_SEED` repeats a run. PostgreSQL is the server at `MINIONS_TEST_POSTGRES_URL` or, without
// one, an embedded one.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

/** An ordinary run has 1,000 queries. */
const factor = env.MINIONS_FUZZ ?? '50'
const seed = env.MINIONS_FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
const hasServer = env.MINIONS_TEST_POSTGRES_URL !== undefined

/** Where the suites of the backends are, and how the names of those tests begin. */
const backends = [
  { folder: 'storage-testkit', file: 'memory', name: 'memory' },
  { folder: 'storage-fs', file: 'conformance-json', name: 'fs, JSON' },
  { folder: 'storage-sqlite', file: 'conformance-file', name: 'SQLite file' },
  hasServer
    ? {
        folder: 'storage-postgres',
        file: 'conformance-server',
        name: 'PostgreSQL',
        within: 'PostgreSQL server, icu locale ',
      }
    : { folder: 'storage-postgres', file: 'conformance-pglite', name: 'PGlite' },
]

/** Runs the long comparison on every backend, with progress, and ends with the number of queries of each. */
export async function fuzzQueries() {
  /** @type {string[]} */
  const problems = []
  /** @type {string[]} */
  const counts = []
  for (const backend of backends) {
    const { done, failed } = await compare(backend)
    const total = [...done.values()].reduce((sum, count) => sum + count, 0)
    const sizes = [...done].map(([size, count]) => `${count} on ${size} records`)
    counts.push(`${backend.name} ${total} (${sizes.join(', ')})`)
    if (failed)
      problems.push(`${backend.name} differs after ${total} queries; repeat it with MINIONS_FUZZ_SEED=${seed}`)
    // A suite that ran nothing must not count as one that found nothing.
    else if (done.size === 0) problems.push(`${backend.name} was not asked anything`)
  }
  reportProblems('fuzz', problems, `seed ${seed}, every answer as the model has it: ${counts.join('; ')}`)
}

/**
 * @param {{ folder: string, file: string, name: string, within?: string }} backend
 * @returns {Promise<{ done: Map<string, number>, failed: boolean }>} the queries that were answered, by size
 */
async function compare({ folder, file, name, within = '' }) {
  const child = spawn(
    join(root, 'node_modules/.bin/vitest'),
    ['run', `test/${file}.test.ts`, '-t', `${within}${name}: storage random queries`, '--disable-console-intercept'],
    {
      cwd: join(root, 'packages', folder),
      env: { ...env, MINIONS_FUZZ: factor, MINIONS_FUZZ_SEED: seed },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  /** @type {Map<string, number>} */
  const done = new Map()
  const ended = new Promise((resolve) => child.once('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    const [, count, size] = / (\d+) of \d+ queries on (\d+) records agree/.exec(line) ?? []
    if (count !== undefined && size !== undefined) done.set(size, Number(count))
    // The other tests of the suite are left out, which is not worth a line for each.
    if (!line.includes('↓')) console.log(line)
  }
  return { done, failed: (await ended) !== 0 }
}
