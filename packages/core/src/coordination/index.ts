export { abortable, cancelOnAbort } from './abort.js'
export { type CyclesOptions, cyclesOf } from './cycles.js'
export { type DeadlineOptions, withDeadline } from './deadline.js'
export { type DependencyOrder, dependencyOrder } from './dependency-order.js'
export { type Digraph, stronglyConnected, topologicalOrder } from './digraph.js'
export { Fifo, type FifoEntry } from './fifo.js'
export {
  isFree,
  LEASE_CHECKS,
  type Lease,
  type LeaseTerms,
  leaseOf,
  tokenSource,
  type WatchedLease,
  watchLease,
} from './lease.js'
export { Mutex, MutexPool } from './mutex.js'
export {
  bootId,
  currentProcess,
  formatProcess,
  hasEnded,
  type ProcessIdentity,
  parseProcess,
} from './process-identity.js'
export { Semaphore } from './semaphore.js'
export { repeat, sleep, systemTimers, type TimerOptions, type Timers } from './timers.js'
