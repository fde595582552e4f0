import { expect, it } from 'vitest'
import { PausableDeadline } from '../../src/runtime/engine/pausable-deadline.js'
import { VirtualClock } from '../../src/testing/index.js'

it('counts only the time that runs', async () => {
  const clock = new VirtualClock()
  let expired = 0
  const deadline = new PausableDeadline(clock.timers, 100, () => expired++)
  deadline.start()
  deadline.start()
  await clock.advance(60)
  deadline.stop()
  deadline.stop()
  await clock.advance(1000)
  expect(deadline.elapsed).toBe(60)
  deadline.start()
  await clock.advance(39)
  expect(expired).toBe(0)
  await clock.advance(1)
  expect(expired).toBe(1)
})
