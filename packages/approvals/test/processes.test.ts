import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { createDatabase, needsServer, serverUrl } from '../../storage-postgres/test/support/server.ts'
import { createApp, search } from './support/app.ts'

const script = fileURLToPath(new URL('./support/process.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'minions-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DECISIONS = 1000
const PROCESSES = 4

/** A process, and its lines as they come. */
function start(settings: object) {
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the output of the process is needed')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the process ended early')
    return value
  }
  return { child, next, exit: once(child, 'exit') }
}

async function decideAtOnce(storage: string): Promise<void> {
  const app = await createApp({ storage, rules: [] })
  const ids: string[] = []
  while (ids.length < DECISIONS) {
    const asked = Array.from({ length: 50 }, (_, index) => app.approvals.ask(search(`q${ids.length + index}`), 'x'))
    ids.push(...(await Promise.all(asked)).map(({ approval_id }) => approval_id))
  }
  const names = Array.from({ length: PROCESSES }, (_, index) => `person-${index}`)
  const children = names.map((name) => start({ storage, name, ids }))
  for (const { next } of children) expect(await next()).toBe('ready')
  for (const { child } of children) child.stdin?.write('go\n')
  const outcomes: { won?: boolean; code?: string; decidedBy?: string }[][] = []
  for (const { next, exit } of children) {
    outcomes.push(JSON.parse(await next()))
    expect((await exit)[0]).toBe(0)
  }
  for (const [index, id] of ids.entries()) {
    const each = outcomes.map((of) => of[index])
    const winner = names[each.findIndex((outcome) => outcome?.won)]
    expect(each.filter((outcome) => outcome?.won)).toHaveLength(1)
    const others = each.filter((outcome) => !outcome?.won)
    expect(others).toEqual(others.map(() => ({ code: 'CONFLICT', decidedBy: winner })))
    if (index % 100 === 0) expect(await app.approvals.get(id)).toMatchObject({ status: 'approved', decided_by: winner })
  }
  expect((await app.approvals.list({ status: 'approved', limit: 10_000 })).items).toHaveLength(DECISIONS)
  await app.close()
}

/** Kills a process at the moments that matter, and lets another one go on. */
async function killAround(storage: string, effects: string): Promise<void> {
  const app = await createApp({ storage, rules: [] })
  const waiting = start({ storage, effects, use: effects })
  expect(await waiting.next()).toBe('ready')
  const id = (await waiting.next()).replace('waiting ', '')
  waiting.child.kill('SIGKILL')
  await waiting.exit
  await app.approvals.approve(id, { by: 'ada' })
  const held = start({ storage, effects, use: effects, hold: true })
  expect(await held.next()).toBe('ready')
  expect(await held.next()).toBe('cleared')
  held.child.kill('SIGKILL')
  await held.exit
  expect(existsSync(effects)).toBe(false)
  const last = start({ storage, effects, use: effects })
  expect(await last.next()).toBe('ready')
  expect(await last.next()).toBe('cleared')
  expect((await last.exit)[0]).toBe(0)
  expect(readFileSync(effects, 'utf8')).toBe('paid\n')
  expect((await app.approvals.history(id)).map(({ kind }) => kind)).toEqual(['asked', 'approved', 'used'])
  await app.close()
}

/** A process that waits, and a decision in another one. */
async function decideElsewhere(storage: string, effects: string): Promise<void> {
  const app = await createApp({ storage, rules: [] })
  const waiting = start({ storage, effects, use: effects })
  expect(await waiting.next()).toBe('ready')
  const id = (await waiting.next()).replace('waiting ', '')
  await app.approvals.approve(id, { by: 'ada' })
  expect(await waiting.next()).toBe('cleared')
  expect((await waiting.exit)[0]).toBe(0)
  expect(readFileSync(effects, 'utf8')).toBe('paid\n')
  await app.close()
}

describe('several processes', () => {
  test(`${DECISIONS} decisions from ${PROCESSES} at once on SQLite: one winner each`, { timeout: 300_000 }, () =>
    decideAtOnce(`sqlite:${join(folder, 'decide.db')}`),
  )

  test.skipIf(serverUrl === undefined)(
    `${DECISIONS} decisions from ${PROCESSES} at once on PostgreSQL: one winner each`,
    { ...needsServer, timeout: 300_000 },
    async () => {
      const database = await createDatabase()
      try {
        await decideAtOnce(database.url)
      } finally {
        await database.drop()
      }
    },
  )

  test('a wait survives kills, and the effect happens once', { timeout: 120_000 }, () =>
    killAround(`sqlite:${join(folder, 'kill.db')}`, join(folder, 'kill.txt')),
  )

  test('a wait continues when another process decides, on SQLite', { timeout: 60_000 }, () =>
    decideElsewhere(`sqlite:${join(folder, 'else.db')}`, join(folder, 'else.txt')),
  )

  test.skipIf(serverUrl === undefined)(
    'a wait continues when another process decides, on PostgreSQL',
    { ...needsServer, timeout: 60_000 },
    async () => {
      const database = await createDatabase()
      try {
        await decideElsewhere(database.url, join(folder, 'else-postgres.txt'))
        await killAround(database.url, join(folder, 'kill-postgres.txt'))
      } finally {
        await database.drop()
      }
    },
  )
})
