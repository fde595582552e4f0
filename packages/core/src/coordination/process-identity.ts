import { guarded } from '../errors/guard.js'
/** Tells one process from all others, on this machine or another, also from a later one under the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process began, in the system's own count; `0` where it cannot be known. */
  readonly start: string
  readonly machine: string
  /** The run of the machine since it was booted. */
  readonly boot: string
  /** What process numbers belong to: containers on one machine have their own. */
  readonly namespace: string
}

/** The parts of Node that are used. They are looked up at run time, since core also runs in browsers. */
interface NodeModules {
  'node:crypto': { hash(algorithm: 'sha256', text: string): string }
  'node:fs': { readFileSync(path: string, encoding: 'utf8'): string; readlinkSync(path: string): string }
  'node:os': { hostname(): string }
}

interface NodeProcess {
  readonly pid: number
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name]
  kill(pid: number, signal: 0): void
}

const UNKNOWN = '0'
const UNKNOWN_HASH = UNKNOWN.repeat(12)

const node = (globalThis as { readonly process?: NodeProcess }).process

let current: ProcessIdentity | undefined

/** The identity of this process; in a browser that of the page, which no other can tell from one that is closed. */
export function currentProcess(): ProcessIdentity {
  current ??= readIdentity()
  return current
}

/**
 * Whether it is certain that a process has ended: the machine was booted since, or has no such process, or another one
 * under its number. Nothing is certain about other machines, nor about processes that cannot be seen from here.
 */
export const hasEnded = guarded('hasEnded', hasEndedUnchecked)

function hasEndedUnchecked(owner: ProcessIdentity): boolean {
  const self = currentProcess()
  if (owner.machine !== self.machine) return false
  if (owner.boot !== self.boot) return true
  if (owner.namespace !== self.namespace) return false
  const state = processState(owner.pid)
  if (state !== undefined && owner.start !== UNKNOWN) return state.ended || state.start !== owner.start
  return !isAlive(owner.pid)
}

/** An identity as one text of lower-case letters, digits and hyphens, which can be part of a file name. */
export const formatProcess = guarded('formatProcess', formatProcessUnchecked)

function formatProcessUnchecked({ pid, start, machine, boot, namespace }: ProcessIdentity): string {
  return [pid, start, machine, boot, namespace].join('-')
}

export const parseProcess = guarded('parseProcess', parseProcessUnchecked)

function parseProcessUnchecked(text: string): ProcessIdentity | undefined {
  const match = /^(\d+)-(\d+)-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12})$/.exec(text)
  if (match === null) return undefined
  const [, pid, start = '', machine = '', boot = '', namespace = ''] = match
  return { pid: Number(pid), start, machine, boot, namespace }
}

/** Identifies the run of the machine since it was booted; `undefined` where the system does not say. */
export function bootId(): string | undefined {
  return readText('/proc/sys/kernel/random/boot_id')
}

function readIdentity(): ProcessIdentity {
  const os = builtin('node:os')
  if (node === undefined || os === undefined) {
    const machine = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
    return { pid: 0, start: UNKNOWN, machine, boot: UNKNOWN_HASH, namespace: UNKNOWN_HASH }
  }
  return {
    pid: node.pid,
    start: processState(node.pid)?.start ?? UNKNOWN,
    machine: short(`${os.hostname()} ${readText('/etc/machine-id') ?? ''}`),
    boot: short(bootId() ?? UNKNOWN),
    namespace: short(attempt(() => builtin('node:fs')?.readlinkSync('/proc/self/ns/pid')) ?? UNKNOWN),
  }
}

function isAlive(pid: number): boolean {
  try {
    node?.kill(pid, 0)
    return true
  } catch (error) {
    // Any other error means that there is such a process.
    return (error as { readonly code?: unknown }).code !== 'ESRCH'
  }
}

/** From Linux' process table; `undefined` for processes that are not there, and on other systems. */
function processState(pid: number): { readonly start: string; readonly ended: boolean } | undefined {
  // The second field is a name in parentheses that may itself contain spaces and parentheses.
  const fields = readText(`/proc/${pid}/stat`)
    ?.replace(/^.*\)\s*/s, '')
    .split(' ')
  const [state, start] = [fields?.[0], fields?.[19]]
  return start === undefined ? undefined : { start, ended: state === 'Z' || state === 'X' }
}

function short(text: string): string {
  return builtin('node:crypto')?.hash('sha256', text).slice(0, 12) ?? UNKNOWN_HASH
}

function readText(path: string): string | undefined {
  return attempt(() => builtin('node:fs')?.readFileSync(path, 'utf8').trim())
}

function builtin<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  return node?.getBuiltinModule?.(name)
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
