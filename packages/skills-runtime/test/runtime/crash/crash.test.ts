import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Store } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll, expect, it } from 'vitest'
import { skillsCollections } from '../../../src/index.js'
import { executionsCollection, subagentsCollection } from '../../../src/runtime/state/collections.js'

const kills = Number(process.env.MINIONS_KILLS ?? 10)
const seed = Number(process.env.MINIONS_SEED ?? 20_260)
const folder = mkdtempSync(join(tmpdir(), 'minions-skills-crash-'))
const path = join(folder, 'store.db')
const journal = join(folder, 'journal.txt')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(...more: string[]) {
  const child = fileURLToPath(new URL('child.mjs', import.meta.url))
  return spawn(process.execPath, [child, path, journal, ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Waits for so many dots, and so for a moment that does not depend on how busy the machine is. */
async function dots(output: Readable, count: number): Promise<void> {
  let seen = 0
  for await (const chunk of output) {
    seen += String(chunk).length
    if (seen >= count) return
  }
  throw new Error(`The process ended by itself after ${seen} of ${count} dots.`)
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(start: number) {
  let state = start
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

it(`loses nothing and repeats no checkpointed step when ${kills} processes are killed (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  for (let round = 0; round < kills; round++) {
    const child = start()
    const exited = once(child, 'exit')
    await dots(child.stdout, 1 + Math.floor(random() * 100))
    child.kill('SIGKILL')
    await exited
  }
  const last = start('finish')
  last.stdout.resume()
  const [code] = await once(last, 'exit')
  expect(code).toBe(0)

  const lines = readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const done = new Set<string>()
  const keys = new Map<string, string>()
  for (const [what, agent, skill = '', part = '', key = ''] of lines) {
    const step = `${agent} ${skill}`
    if (what === 'checkpointed') done.add(`${step} ${part}`)
    if (what === 'ended') done.add(step)
    if (what !== 'effect') continue
    expect(done.has(`${step} ${part}`), `${step} ${part} was repeated after its checkpoint`).toBe(false)
    expect(done.has(step), `${step} was repeated after its end`).toBe(false)
    expect(keys.get(step) ?? key, `${step} got another idempotency key`).toBe(key)
    keys.set(step, key)
  }

  const store = await Store.open(sqliteStorage({ path }), skillsCollections)
  try {
    for (const [what, agent = '', , execution = '', status] of lines) {
      if (what === 'ended') {
        expect(await store.get(executionsCollection, execution)).toMatchObject({ status, result: { parts: 3 } })
      }
      if (what === 'completed')
        expect(await store.get(subagentsCollection, agent)).toMatchObject({ state: 'completed' })
    }
    const begun = new Set(lines.map(([, agent]) => agent))
    let completed = 0
    for await (const { record } of store.iterate(subagentsCollection, { where: { state: { ne: 'idle' } } })) {
      expect(record.state).toBe('completed')
      const where = { agent_id: record.agent_id }
      const executions = (await store.find(executionsCollection, { where })).items
      expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success'])
      expect(Object.keys(record.results).sort()).toEqual(['first', 'fourth', 'second', 'third'])
      completed++
    }
    expect(completed).toBeGreaterThanOrEqual(begun.size)
    expect(lines.length).toBeGreaterThanOrEqual(kills)
  } finally {
    await store.close()
  }
}, 600_000)
