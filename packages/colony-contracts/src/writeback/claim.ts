import { generateId } from '@minions/core'
import { currentProcess, formatProcess, parseProcess, hasEnded as processHasEnded } from '@minions/core/coordination'
import type { Claim } from './writeback-application.js'

const slot = Symbol.for('@minions/colony-contracts/claims')

/** The claims whose handlers are running in this thread, shared by all copies of this package. */
function running(): Set<string> {
  const shared = globalThis as { [slot]?: Set<string> }
  shared[slot] ??= new Set()
  return shared[slot]
}

/** Runs `work` under a new claim, which counts as running until `work` has ended. */
export async function whileClaiming<T>(work: (claim: Claim) => Promise<T>): Promise<T> {
  const claim = { id: generateId(), ...thisThread() }
  running().add(claim.id)
  try {
    return await work(claim)
  } finally {
    running().delete(claim.id)
  }
}

/** True if the owner of a claim has certainly ended. On another host or in another thread that cannot be known. */
export function hasEnded({ id, host, thread }: Claim): boolean {
  const self = thisThread()
  if (host === self.host) return thread === self.thread && !running().has(id)
  const owner = parseProcess(host)
  return owner !== undefined && processHasEnded(owner)
}

function thisThread(): Omit<Claim, 'id'> {
  const identity = currentProcess()
  // Browsers have no such module, and a bundler could not resolve an import of it.
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  return { host: formatProcess(identity), pid: identity.pid, thread: threads?.threadId ?? 0 }
}
