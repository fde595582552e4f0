import type { Timers } from '@minions/core/coordination'
import { expect, it } from 'vitest'
import { PausableDeadline } from '../../src/runtime/engine/pausable-deadline.js'

it('counts only the time that runs', () => {
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
  const advance = (milliseconds: number) => {
    now += milliseconds
    for (const timer of pending) if (timer.at <= now && pending.delete(timer)) timer.callback()
  }
  let expired = 0
  const deadline = new PausableDeadline(timers, 100, () => expired++)
  deadline.start()
  deadline.start()
  advance(60)
  deadline.stop()
  deadline.stop()
  advance(1000)
  expect(deadline.elapsed).toBe(60)
  deadline.start()
  advance(39)
  expect(expired).toBe(0)
  advance(1)
  expect(expired).toBe(1)
})
