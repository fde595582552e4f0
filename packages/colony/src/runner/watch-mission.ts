import type { Timers } from '@minions/core/coordination'
import type { MissionProgress } from './mission-status.js'

interface Watched {
  current(): Promise<MissionProgress>
  isLive(): boolean
  on(listener: (progress: MissionProgress) => void): () => void
  readonly timers: Timers
}

/** Milliseconds between two reads of a mission that another process runs. */
const POLL_MS = 250

/**
 * Yields the progress of a mission from now to its end, wherever it runs. No change is missed while it runs here.
 * Breaking out takes effect at once, even while the next change is awaited.
 */
export function watchMission(watched: Watched): AsyncIterableIterator<MissionProgress> {
  const stop = new AbortController()
  const changes = changesOf(watched, stop.signal)
  return {
    next: () => changes.next(),
    return() {
      stop.abort()
      return changes.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* changesOf(watched: Watched, signal: AbortSignal): AsyncGenerator<MissionProgress, void, undefined> {
  const waiting: MissionProgress[] = []
  let wake = () => {}
  signal.addEventListener('abort', () => wake())
  const off = watched.on((progress) => {
    waiting.push(progress)
    wake()
  })
  try {
    let last = await watched.current()
    yield last
    while (last.status === 'running' && !signal.aborted) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          const cancel = watched.isLive() ? () => {} : watched.timers.set(POLL_MS, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
      if (signal.aborted) return
      const next = waiting.shift() ?? (await watched.current())
      if (isSame(next, last)) continue
      last = next
      yield last
    }
  } finally {
    off()
  }
}

function isSame(a: MissionProgress, b: MissionProgress): boolean {
  return (
    a.status === b.status &&
    a.tasks.every(({ status }, index) => status === b.tasks[index]?.status) &&
    a.total === b.total
  )
}
