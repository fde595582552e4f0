import { randomUUID } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode, unavailable, workspaceError } from '../errors.js'

const WAIT_MS = 10_000

interface Holder {
  readonly token: string
  readonly pid: number
  readonly host: string
  /** When the process started, in the system's own words; empty where it cannot be known. */
  readonly started: string
}

/**
 * Runs `work` while holding a lock between processes: a file that names its holder. A lock that stays is broken only
 * when its holder is provably gone; otherwise waiting ends with `STORAGE_BUSY` after ten seconds.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, waitMs = WAIT_MS): Promise<T> {
  await acquire(path, Date.now() + waitMs)
  try {
    return await work()
  } finally {
    await release(path)
  }
}

/** Somebody may have deleted the lock by hand; anything else would block all others and must be known. */
async function release(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw unavailable('Unlocking', path, error)
  }
}

async function acquire(path: string, deadline: number): Promise<void> {
  const holder: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    started: await startOf(process.pid),
  }
  const draft = `${path}.${holder.token}`
  try {
    // Written first and linked then, so that a lock is never seen without its holder.
    await writeFile(draft, JSON.stringify(holder), { flag: 'wx' })
    for (let delay = 2; !(await tryLink(draft, path)); delay = Math.min(delay * 1.5, 50)) {
      const current = await readHolder(path)
      if (current && (await isGone(current))) await breakLock(path, current, deadline)
      else if (Date.now() > deadline) throw busy(path, current)
      else await sleep(delay * (0.5 + Math.random()))
    }
  } finally {
    await unlink(draft).catch(() => undefined)
  }
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw unavailable('Locking', path, error)
  }
}

/** Only the holder of this second lock may remove the first, so that nobody removes a successor's. */
async function breakLock(path: string, gone: Holder, deadline: number): Promise<void> {
  const breaker = `${path}.break-${gone.token}`
  await acquire(breaker, deadline)
  try {
    if ((await readHolder(path))?.token === gone.token) await release(path)
  } finally {
    await release(breaker)
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder> | null
    const { token, pid, host, started } = holder ?? {}
    if (typeof token !== 'string' || !/^[0-9a-f-]{36}$/.test(token)) return undefined
    if (!Number.isInteger(pid) || typeof host !== 'string' || typeof started !== 'string') return undefined
    return { token, pid: pid as number, host, started }
  } catch {
    return undefined
  }
}

async function isGone(holder: Holder): Promise<boolean> {
  if (holder.host !== hostname() || holder.pid <= 0) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return systemCode(error) === 'ESRCH'
  }
  const started = await startOf(holder.pid)
  return started !== '' && holder.started !== '' && started !== holder.started
}

/** Tells apart two processes that had the same pid one after the other. Known on Linux only. */
async function startOf(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ])
    // The second field is the command in parentheses and may contain spaces; the start time is the 22nd.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${boot.trim()}:${ticks}`
  } catch {
    return ''
  }
}

function busy(path: string, holder: Holder | undefined): Error {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'somebody unknown'
  return workspaceError(
    'STORAGE_BUSY',
    `The lock ${path} is held by ${who}. Try again, or delete the file if that process no longer exists.`,
    { details: { path, holder: holder ?? null } },
  )
}
