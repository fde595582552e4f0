import { generateId } from '@minions/core'
import type { Claim } from './writeback-application.js'

const slot = Symbol.for('@minions/colony-contracts/claims')

/** The modules of Node; undefined in a browser, for which a bundler could not resolve an import of them. */
const builtin = globalThis.process?.getBuiltinModule

/** What stands for the host in a browser. Each page has one of its own, since no page can tell whether another is open. */
let page: string | undefined

/** The claims whose handlers run in this thread now, shared by all copies of this package in it. */
function running(): Set<string> {
  const shared = globalThis as { [slot]?: Set<string> }
  shared[slot] ??= new Set()
  return shared[slot]
}

/** Runs `work` under a new claim, which counts as running until `work` has ended. */
export async function whileClaiming<T>(work: (claim: Claim) => Promise<T>): Promise<T> {
  const claim = { id: generateId(), ...thisProcess() }
  running().add(claim.id)
  try {
    return await work(claim)
  } finally {
    running().delete(claim.id)
  }
}

/** Whether whoever made a claim has certainly ended. On another host or in another thread that cannot be known. */
export function hasEnded({ id, ...owner }: Claim): boolean {
  const { host, pid, thread } = thisProcess()
  if (owner.host !== host) return false
  if (owner.pid === pid) return owner.thread === thread && !running().has(id)
  try {
    process.kill(owner.pid, 0)
    return false
  } catch (error) {
    // Any other error means that there is such a process.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function thisProcess(): Omit<Claim, 'id'> {
  if (builtin) return { host: hostName(), pid: process.pid, thread: builtin('node:worker_threads').threadId }
  page ??= `page ${generateId()}`
  return { host: page, pid: 0, thread: 0 }
}

/** Containers can share the name of their host and have the same process ids, in namespaces of their own. */
function hostName(): string {
  const name = process.getBuiltinModule('node:os').hostname()
  try {
    return `${name} ${process.getBuiltinModule('node:fs').readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return name
  }
}
