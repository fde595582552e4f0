import { guarded } from '../errors/guard.js'
import { builtin, node } from '../node-builtins.js'

/** Identifies a process across machines, and across reuse of its process id. */
export interface ProcessIdentity {
  readonly pid: number
  /** Start time of the process in the system's own units; `0` where unknown. */
  readonly start: string
  readonly machine: string
  /** Identifies the current boot of the machine. */
  readonly boot: string
  /** The namespace of process ids: containers on one machine have their own. */
  readonly namespace: string
}

const UNKNOWN = '0'
const UNKNOWN_HASH = UNKNOWN.repeat(12)

let current: ProcessIdentity | undefined

/** The identity of this process; in a browser that of the page, which others cannot distinguish from a closed one. */
export function currentProcess(): ProcessIdentity {
  current ??= readIdentity()
  return current
}

/**
 * True if a process has certainly ended: the machine was rebooted since, has no such process, or has another one with
 * its id. Nothing is certain about other machines, or about processes not visible from here.
 */
export const hasEnded = guarded('hasEnded', (owner: ProcessIdentity): boolean => {
  const self = currentProcess()
  if (owner.machine !== self.machine) return false
  if (owner.boot !== self.boot) return true
  if (owner.namespace !== self.namespace) return false
  const state = processState(owner.pid)
  if (state !== undefined && owner.start !== UNKNOWN) return state.ended || state.start !== owner.start
  return !isAlive(owner.pid)
})

/** An identity as a string of lower-case letters, digits and hyphens, usable in a file name. */
export const formatProcess = guarded('formatProcess', formatProcessUnchecked)

function formatProcessUnchecked({ pid, start, machine, boot, namespace }: ProcessIdentity): string {
  return [pid, start, machine, boot, namespace].join('-')
}

export const parseProcess = guarded('parseProcess', (text: string): ProcessIdentity | undefined => {
  const match = /^(\d+)-(\d+)-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12})$/.exec(text)
  if (match === null) return undefined
  const [, pid, start = '', machine = '', boot = '', namespace = ''] = match
  return { pid: Number(pid), start, machine, boot, namespace }
})

/** Identifies the current boot of the machine; `undefined` where the system does not tell. */
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
    // Any other error means that the process exists.
    return (error as { readonly code?: unknown }).code !== 'ESRCH'
  }
}

/** From the process table of Linux; `undefined` for unknown processes, and on other systems. */
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

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
