import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { kill, pid } from 'node:process'
import { threadId } from 'node:worker_threads'
import { generateId } from '@minions/core'
import type { Claim } from './writeback-application.js'

const slot = Symbol.for('@minions/colony-contracts/claims')

/** The claims whose handlers run in this thread now, shared by all copies of this package in it. */
function running(): Set<string> {
  const shared = globalThis as { [slot]?: Set<string> }
  shared[slot] ??= new Set()
  return shared[slot]
}

/** Runs `work` under a new claim, which counts as running until `work` has ended. */
export async function whileClaiming<T>(work: (claim: Claim) => Promise<T>): Promise<T> {
  const claim = { id: generateId(), host: hostName(), pid, thread: threadId }
  running().add(claim.id)
  try {
    return await work(claim)
  } finally {
    running().delete(claim.id)
  }
}

/** Whether whoever made a claim has certainly ended. On another host or in another thread that cannot be known. */
export function hasEnded({ id, host, pid: owner, thread }: Claim): boolean {
  if (host !== hostName()) return false
  if (owner === pid) return thread === threadId && !running().has(id)
  try {
    kill(owner, 0)
    return false
  } catch (error) {
    // Any other error means that there is such a process.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Containers can share the name of their host and have the same process ids, in namespaces of their own. */
function hostName(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}
