import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMinions } from '@minions/host'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, needsServer, serverUrl } from '../../../storage-postgres/test/support/server.js'
import { prompts } from '../../src/index.js'

const PROCESSES = 8
const ROUNDS = 6
const folder = mkdtempSync(join(tmpdir(), 'minions-movers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(storage: string, name: string) {
  const script = fileURLToPath(new URL('mover.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, storage, name, String(ROUNDS)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    next: async () => (await lines.next()).value as string,
    go: () => child.stdin.write('go\n'),
    exited: once(child, 'exit'),
  }
}

async function compete(storage: string): Promise<void> {
  const app = await createMinions({ storage, plugins: [prompts()] })
  await app.prompts.create({ title: 'P', name: 'p', content: 'zero' })
  for (const content of ['one', 'two']) await app.prompts.addVersion('p', { content })
  const movers = Array.from({ length: PROCESSES }, (_, index) => start(storage, `mover-${index}`))
  for (const mover of movers) expect(await mover.next()).toBe('ready')
  const winners: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const mover of movers) mover.go()
    const said = await Promise.all(movers.map((mover) => mover.next()))
    const winner = `mover-${said.indexOf('won')}`
    // One winner, and the others know who it was.
    expect(said.filter((line) => line !== 'won')).toEqual(Array(PROCESSES - 1).fill(`lost ${winner}`))
    winners.push(winner)
  }
  for (const { exited } of movers) expect(await exited).toEqual([0, null])
  expect((await app.prompts.labels.history('p', 'staging')).map(({ move, by }) => [move, by])).toEqual(
    winners.map((by, index) => [index + 1, by]),
  )
  await app.close()
}

describe('a label that eight processes move at once has one winner each time', { timeout: 120_000 }, () => {
  it('on SQLite', () => compete(`sqlite:${join(folder, 'store.db')}`))

  it('on files', () => compete(`fs:${join(folder, 'files')}`))

  it.skipIf(serverUrl === undefined)('on PostgreSQL', needsServer, async () => {
    const database = await createDatabase()
    try {
      await compete(database.url)
    } finally {
      await database.drop()
    }
  })
})
