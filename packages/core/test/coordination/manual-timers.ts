import type { Timers } from '../../src/coordination/index.js'

/** Time that passes when a test says so. */
export function manualTimers() {
  let now = 0
  const pending = new Set<{ readonly at: number; readonly callback: () => void }>()
  const timers: Timers = {
    now: () => now,
    set(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback }
      pending.add(timer)
      return () => pending.delete(timer)
    },
  }
  return {
    timers,
    clock: () => now,
    get pending() {
      return pending.size
    },
    async advance(milliseconds: number) {
      const end = now + milliseconds
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        const [next] = [...pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        pending.delete(next)
        now = Math.max(now, next.at)
        next.callback()
      }
      now = end
    },
  }
}
