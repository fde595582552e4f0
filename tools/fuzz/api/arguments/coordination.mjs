// @ts-check
import { currentProcess, formatProcess, leaseOf, systemTimers } from '@minions/core/coordination'

/** @import { Arguments } from '../targets.mjs' */

const terms = () => ({ clock: () => new Date(0), timers: systemTimers, leaseMs: 5 })

/** Locks, leases and graphs. @type {Record<string, Arguments>} */
export const coordinationArguments = {
  'core/coordination.cyclesOf': () => [[[1], [0]], { most: 5, edges: [[0, 1]] }],
  'core/coordination.stronglyConnected': () => [[[1], [0]]],
  'core/coordination.topologicalOrder': () => [[[1], []]],
  'core/coordination.dependencyOrder': () => [['a', 'b'], (/** @type {string} */ node) => (node === 'b' ? ['a'] : [])],
  'core/coordination.withDeadline': () => [
    Promise.resolve(1),
    {
      timeout: 5,
      expired: () => 2,
      signal: AbortSignal.timeout(60_000),
      abandon: () => undefined,
      timers: systemTimers,
    },
  ],
  'core/coordination.Fifo#push': () => ['a'],
  'core/coordination.Fifo#remove': () => [() => true],
  'core/coordination.MutexPool#open': () => ['a'],
  'core/coordination.MutexPool#close': () => ['a'],
  'new core/coordination.Semaphore': () => [1],
  'core/coordination.Mutex#acquire': () => [AbortSignal.timeout(60_000)],
  'core/coordination.Mutex#run': () => [async () => 1, AbortSignal.timeout(60_000)],
  'core/coordination.formatProcess': () => [currentProcess()],
  'core/coordination.parseProcess': () => [formatProcess(currentProcess())],
  'core/coordination.hasEnded': () => [currentProcess()],
  'core/coordination.leaseOf': () => ['token', terms()],
  'core/coordination.isFree': () => [leaseOf('a', terms()), () => new Date(0), null],
  'core/coordination.watchLease': () => [leaseOf('a', terms()), () => undefined, terms()],
  'core/coordination.repeat': () => [
    50_000,
    async () => undefined,
    () => undefined,
    systemTimers,
    { background: true },
  ],
  'core/coordination.sleep': () => [1, systemTimers, AbortSignal.timeout(60_000)],
  'core/coordination.systemTimers.set': () => [5, () => undefined, { background: true }],
}
