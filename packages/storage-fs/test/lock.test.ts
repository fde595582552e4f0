import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Folder } from '../src/folder.js'
import { isGone, lockName, parseLockName, self } from '../src/lock/identity.js'
import { Lock } from '../src/lock/lock.js'
import { removeFolder, temporaryFolder } from './folders.js'

let root: string
let folder: Folder
let locks: string
const children: ChildProcess[] = []

beforeEach(() => {
  root = temporaryFolder()
  folder = new Folder(root)
  locks = join(root, '.minions/locks')
  folder.createStateFolders()
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  removeFolder(root)
})

const leave = (owner: Partial<typeof self>) => writeFileSync(join(locks, lockName({ ...self, ...owner })), '')

async function child(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('./idle.mjs', import.meta.url)), { stdio: 'ignore', execArgv: [] })
  children.push(started)
  await new Promise((resolve) => started.once('message', resolve))
  return started
}

it('is held by one at a time and says by whom', async () => {
  const lock = new Lock(folder)
  await lock.acquire(100)
  expect(lock.isHeld).toBe(true)
  const error = await new Lock(folder).acquire(30).catch((e) => e)
  expect(error).toMatchObject({
    code: 'STORAGE_BUSY',
    details: { locks: [expect.stringContaining(`${process.pid}-`)] },
  })
  lock.release()
  const next = new Lock(folder)
  await next.acquire(100)
  next.release()
  lock.close()
  expect(readdirSync(locks)).toHaveLength(2)
  next.close()
  expect(readdirSync(locks)).toHaveLength(1)
})

it('lets no two in, however many come at once', async () => {
  let inside = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const lock = new Lock(folder)
      for (let turn = 0; turn < 5; turn++) {
        await lock.acquire(20_000)
        inside += 1
        most = Math.max(most, inside)
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2))
        inside -= 1
        lock.release()
      }
    }),
  )
  expect(most).toBe(1)
})

it('is broken when its process has died, was replaced by another with its number, or the machine was restarted', async () => {
  const dead = await child()
  const { pid } = dead as { pid: number }
  const owner = { ...self, pid, start: '1' }
  leave({ pid, start: '1' })
  leave({ boot: '0'.repeat(12) })
  expect(isGone(owner)).toBe(true)
  const lock = new Lock(folder)
  await lock.acquire(100)
  lock.release()
  dead.kill('SIGKILL')
  await new Promise((resolve) => dead.once('exit', resolve))
  leave({ pid, start: '123' })
  await lock.acquire(100)
  lock.release()
  lock.close()
  expect(readdirSync(locks)).toEqual([])
})

it('is never broken on a guess: on another machine, in another container, or of a process that only sleeps', async () => {
  const sleeping = await child()
  sleeping.kill('SIGSTOP')
  for (const owner of [
    { machine: 'f'.repeat(12), pid: 999_999_999 },
    { namespace: 'f'.repeat(12), pid: 999_999_999 },
    { pid: sleeping.pid as number, start: '0' },
  ]) {
    leave(owner)
    const [name] = readdirSync(locks)
    // Nor does it matter how old it looks, or what the clock says.
    utimesSync(join(locks, name as string), 0, 0)
    vi.useFakeTimers({ now: 0, toFake: ['Date'] })
    await expect(new Lock(folder).acquire(20)).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    vi.useRealTimers()
    expect(readdirSync(locks)).toContain(name)
    removeFolder(locks)
    mkdirSync(locks)
  }
})

it('clears up behind the dead, and only behind them', async () => {
  const lock = new Lock(folder)
  writeFileSync(join(locks, `free-${lockName({ ...self, boot: '0'.repeat(12) })}`), '')
  writeFileSync(join(locks, `free-${lockName(self)}`), '')
  lock.bury()
  expect(readdirSync(locks)).toHaveLength(1)
})

it('ignores files that are not locks', async () => {
  writeFileSync(join(locks, '.DS_Store'), '')
  expect(parseLockName('1-2-3')).toBeUndefined()
  expect(parseLockName(lockName(self))).toEqual(self)
  const lock = new Lock(folder)
  await lock.acquire(100)
  lock.release()
})
