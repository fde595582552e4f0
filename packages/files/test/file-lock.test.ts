import { type ChildProcess, fork } from 'node:child_process'
import fs, {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MinionsError } from '@minions/core'
import { currentProcess, formatProcess, type ProcessIdentity } from '@minions/core/coordination'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FileLock } from '../src/index.js'

const children: ChildProcess[] = []
let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'minions-lock-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

async function idleProcess(): Promise<ChildProcess> {
  const started = fork(fileURLToPath(new URL('./idle.mjs', import.meta.url)), { stdio: 'ignore', execArgv: [] })
  children.push(started)
  await new Promise((resolve) => started.once('message', resolve))
  return started
}

describe.each(['', 'settings.json.lock-'])('a lock in files that begin with "%s"', (prefix) => {
  const busy = (files: readonly string[]) => Object.assign(new MinionsError('STORAGE_BUSY', 'busy'), { files })
  const newLock = () => new FileLock({ directory, prefix, busy })
  const nameOf = (owner: Partial<ProcessIdentity>) =>
    `${formatProcess({ ...currentProcess(), ...owner })}-${'0'.repeat(16)}`
  const leave = (owner: Partial<ProcessIdentity>) => writeFileSync(join(directory, prefix + nameOf(owner)), '')

  it('is held by one at a time and says by whom', async () => {
    const lock = newLock()
    await lock.acquire(100)
    expect(lock.isHeld).toBe(true)
    const error = await newLock()
      .acquire(30)
      .catch((e) => e)
    expect(error.files).toEqual([expect.stringMatching(`^${prefix}${process.pid}-`)])
    lock.release()
    const next = newLock()
    await next.acquire(100)
    next.release()
    lock.close()
    expect(readdirSync(directory)).toHaveLength(2)
    next.close()
    expect(readdirSync(directory)).toHaveLength(1)
  })

  it('lets no two in, however many come at once', async () => {
    let inside = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = newLock()
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

  it('goes to who waits before it goes again to who has just had it', async () => {
    const greedy = newLock()
    const patient = newLock()
    await greedy.acquire(1000)
    let isWaiting = true
    const waiting = patient.acquire(20_000).then(() => {
      isWaiting = false
      patient.release()
    })
    let turns = 0
    for (; isWaiting && turns < 100; turns++) {
      // Held far longer than it is free.
      await new Promise((resolve) => setTimeout(resolve, 10))
      greedy.release()
      await greedy.acquire(20_000)
    }
    greedy.release()
    await waiting
    expect(turns).toBeLessThan(20)
    expect(readdirSync(directory).filter((name) => name.includes('wait-'))).toEqual([])
  })

  it('is taken at once by one that has not had it yet, also while others wait', async () => {
    const held = newLock()
    const patient = newLock()
    const newcomer = newLock()
    await held.acquire(1000)
    const waiting = patient.acquire(20_000)
    held.release()
    const taken = newcomer.acquire(20_000)
    expect(newcomer.isHeld).toBe(true)
    await taken
    newcomer.close()
    await waiting
    patient.close()
    held.close()
  })

  it('is taken with one look at the directory, also by who has just had it', async () => {
    const lock = newLock()
    await lock.acquire(1000)
    lock.release()
    const look = vi.spyOn(fs, 'readdirSync')
    syncBuiltinESMExports()
    try {
      await lock.acquire(1000)
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    }
    expect(look).toHaveBeenCalledTimes(1)
    lock.close()
  })

  it('waits without touching the lock: its file is renamed when it begins to wait, and not again', async () => {
    const held = newLock()
    await held.acquire(1000)
    const waitingFile = () => {
      const [name = ''] = readdirSync(directory).filter((each) => each.startsWith(`${prefix}wait-`))
      const { ino, ctimeNs } = statSync(join(directory, name), { bigint: true })
      return { name, ino, ctimeNs }
    }
    let last: unknown
    const patient = new FileLock({
      directory,
      prefix,
      busy: (files) => {
        last = waitingFile()
        return busy(files)
      },
    })
    const waiting = patient.acquire(60)
    const first = waitingFile()
    await expect(waiting).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    expect(last).toEqual(first)
    held.close()
    patient.close()
  })

  it.skipIf(process.platform !== 'linux')(
    'keeps no file open while it is held',
    { meta: { needs: '/proc: Linux' } },
    async () => {
      const isOpen = (descriptor: string) => {
        try {
          return readlinkSync(join('/proc/self/fd', descriptor)).startsWith(directory)
        } catch {
          // It was the one by which the folder was read.
          return false
        }
      }
      const lock = newLock()
      await lock.acquire(1000)
      expect(readdirSync('/proc/self/fd').filter(isOpen)).toEqual([])
      lock.close()
    },
  )

  it('does not go on waiting once it has given up, also where it held the lock before', async () => {
    const [lock, other] = [newLock(), newLock()]
    await lock.acquire(1000)
    lock.release()
    await other.acquire(1000)
    await expect(lock.acquire(5)).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    expect(readdirSync(directory).filter((name) => name.includes('wait-'))).toEqual([])
    other.release()
    await lock.acquire(1000)
    lock.close()
    other.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('says so when its file can be neither given back nor removed', async () => {
    const lock = newLock()
    await lock.acquire(1000)
    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'not a directory')
    expect(() => lock.release()).toThrow('ENOTDIR')
    expect(() => lock.close()).toThrow('ENOTDIR')
    await expect(lock.acquire(10)).rejects.toThrow('ENOTDIR')
  })

  it('is broken when its process has died, was replaced by another with its number, or the machine was restarted', async () => {
    const dead = await idleProcess()
    const { pid } = dead as { pid: number }
    leave({ pid, start: '1' })
    leave({ boot: '0'.repeat(12) })
    const lock = newLock()
    await lock.acquire(100)
    lock.release()
    dead.kill('SIGKILL')
    await new Promise((resolve) => dead.once('exit', resolve))
    leave({ pid, start: '123' })
    await lock.acquire(100)
    lock.release()
    lock.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('is never broken on a guess: on another machine, in another container, or of a process that only sleeps', async () => {
    const sleeping = await idleProcess()
    sleeping.kill('SIGSTOP')
    for (const owner of [
      { machine: 'f'.repeat(12), pid: 999_999_999 },
      { namespace: 'f'.repeat(12), pid: 999_999_999 },
      { pid: sleeping.pid as number, start: '0' },
    ]) {
      leave(owner)
      const name = prefix + nameOf(owner)
      // Nor does it matter how old it looks, or what the clock says.
      utimesSync(join(directory, name), 0, 0)
      vi.useFakeTimers({ now: 0, toFake: ['Date'] })
      const lock = newLock()
      await expect(lock.acquire(20)).rejects.toMatchObject({ files: [name] })
      vi.useRealTimers()
      lock.close()
      expect(readdirSync(directory)).toEqual([name])
      unlinkSync(join(directory, name))
    }
  })

  it('clears up behind the dead, and only behind them', async () => {
    const lock = newLock()
    writeFileSync(join(directory, `${prefix}free-${nameOf({ boot: '0'.repeat(12) })}`), '')
    writeFileSync(join(directory, `${prefix}free-${nameOf({})}`), '')
    lock.removeStale()
    expect(readdirSync(directory)).toEqual([`${prefix}free-${nameOf({})}`])
  })

  it('does not wait behind one that has died while it waited, and clears up behind it', async () => {
    const lock = newLock()
    await lock.acquire(100)
    writeFileSync(join(directory, `${prefix}wait-${nameOf({ boot: '0'.repeat(12) })}`), '')
    lock.release()
    // Who has just had it lets those go first who wait.
    await lock.acquire(1000)
    lock.close()
    expect(readdirSync(directory)).toEqual([])
  })

  it('needs the path of a directory, a prefix that is a text, a function for a wait in vain and a time', async () => {
    const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' })
    const wrong = [
      { directory: undefined, prefix, busy },
      { directory: 5, prefix, busy },
      { directory, prefix: 5, busy },
      { directory, prefix, busy: 'busy' },
    ]
    for (const options of wrong) expect(() => new FileLock(options as never)).toThrow(refused)
    for (const timeout of [Number.NaN, '5']) await expect(newLock().acquire(timeout as never)).rejects.toEqual(refused)
  })

  it('ignores files that are not locks', async () => {
    const others = ['.DS_Store', `${prefix}1-2-3`, `${prefix}${formatProcess(currentProcess())}`, `other-${nameOf({})}`]
    for (const name of others) writeFileSync(join(directory, name), '')
    const lock = newLock()
    await lock.acquire(100)
    lock.close()
    expect(readdirSync(directory).sort()).toEqual(others.sort())
  })

  it('creates its directory, and goes on when it was removed', async () => {
    rmSync(directory, { recursive: true })
    const lock = newLock()
    await lock.acquire(100)
    rmSync(directory, { recursive: true })
    expect(lock.isHeld).toBe(false)
    lock.release()
    await lock.acquire(100)
    expect(lock.isHeld).toBe(true)
    lock.close()
  })
})
