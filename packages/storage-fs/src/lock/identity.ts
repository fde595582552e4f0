import { hash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who holds a lock. Everything is in the name of the lock file, so that there is no lock without it. */
export interface Owner {
  readonly pid: number
  /** When the process began, in the system's own count; a later process with the same number began later. */
  readonly start: string
  /** Machine, its present run since booting, and the space that process numbers belong to. */
  readonly machine: string
  readonly boot: string
  readonly namespace: string
}

const UNKNOWN = '0'

/** Identifies the run of the machine since it was booted; undefined where the system does not say. */
export const bootId: string | undefined = readText('/proc/sys/kernel/random/boot_id')

export const self: Owner = {
  pid: process.pid,
  start: processState(process.pid)?.start ?? UNKNOWN,
  machine: short(`${hostname()} ${readText('/etc/machine-id') ?? ''}`),
  boot: short(bootId ?? UNKNOWN),
  namespace: short(readLink('/proc/self/ns/pid') ?? UNKNOWN),
}

/** A file name that says who the owner is and was never used before. */
export function lockName({ pid, start, machine, boot, namespace }: Owner): string {
  return [pid, start, machine, boot, namespace, randomBytes(8).toString('hex')].join('-')
}

export function parseLockName(name: string): Owner | undefined {
  const match = /^(\d+)-(\d+)-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12})-[0-9a-f]{16}$/.exec(name)
  if (!match) return undefined
  const [, pid, start, machine, boot, namespace] = match as unknown as string[]
  return { pid: Number(pid), start, machine, boot, namespace } as Owner
}

/**
 * Whether it is certain that the owner no longer runs: the machine was started again since, or has no such process, or
 * another one under its number. Of other machines and of processes that cannot be seen from here nothing is certain.
 */
export function isGone(owner: Owner): boolean {
  if (owner.machine !== self.machine) return false
  if (owner.boot !== self.boot) return true
  if (owner.namespace !== self.namespace) return false
  const state = processState(owner.pid)
  if (state && owner.start !== UNKNOWN) return state.ended || state.start !== owner.start
  return !isAlive(owner.pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** From Linux' process table; undefined for processes that are not there and on other systems. */
function processState(pid: number): { start: string; ended: boolean } | undefined {
  // The second field is a name in parentheses that may itself contain spaces and parentheses.
  const fields = readText(`/proc/${pid}/stat`)
    ?.replace(/^.*\)\s*/s, '')
    .split(' ')
  const [state, start] = [fields?.[0], fields?.[19]]
  return start === undefined ? undefined : { start, ended: state === 'Z' || state === 'X' }
}

function short(text: string): string {
  return hash('sha256', text).slice(0, 12)
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
