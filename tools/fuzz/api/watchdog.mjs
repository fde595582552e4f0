// @ts-check
// Ends the process when a call blocks it. It runs in a thread of its own and counts processor time, not time, since other
// processes may have the processors.
import { writeSync } from 'node:fs'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** A call that uses the processor for so many microseconds blocks the process; a third of it is already too slow. */
const LONGEST_BLOCK = 3_000_000
/** Milliseconds between two looks. */
const INTERVAL = 250

/** How many calls have begun. @type {Int32Array} */
const calls = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : workerData

/** Starts to watch this process, which says so on descriptor 3 before it ends. */
export function startWatchdog() {
  new Worker(new URL(import.meta.url), { workerData: calls }).unref()
}

/** Says that a call begins. */
export function beginCall() {
  Atomics.add(calls, 0, 1)
}

if (!isMainThread) watch()

function watch() {
  let begun = -1
  let since = process.cpuUsage()
  setInterval(() => {
    const now = Atomics.load(calls, 0)
    if (now !== begun) {
      begun = now
      since = process.cpuUsage()
      return
    }
    const { user, system } = process.cpuUsage(since)
    if (user + system < LONGEST_BLOCK) return
    writeSync(3, `${JSON.stringify({ kind: 'blocked' })}\n`)
    process.kill(process.pid, 'SIGKILL')
  }, INTERVAL)
}
