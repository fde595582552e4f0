import { describe, expect, it } from 'vitest'
import { repeat, sleep, withDeadline } from '../../src/coordination/index.js'
import { manualTimers } from './manual-timers.js'

const never = new Promise<never>(() => {})
const late = () => {
  throw new Error('late')
}

describe('withDeadline', () => {
  it('settles as the work does, and leaves no timer', async () => {
    const time = manualTimers()
    const options = { timeout: 10, timers: time.timers, expired: late }
    await expect(withDeadline(Promise.resolve(1), options)).resolves.toBe(1)
    await expect(withDeadline(Promise.reject(new Error('no')), options)).rejects.toThrow('no')
    expect(time.pending).toBe(0)
  })

  it('settles with what `expired` returns or throws when the time is over', async () => {
    const time = manualTimers()
    const { timers } = time
    const thrown = withDeadline(never, { timeout: 10, timers, expired: late })
    const returned = withDeadline<string>(never, { timeout: 10, timers, expired: () => 'enough' })
    await time.advance(9)
    expect(time.pending).toBe(2)
    const both = Promise.allSettled([thrown, returned])
    await time.advance(1)
    expect(await both).toMatchObject([{ reason: { message: 'late' } }, { value: 'enough' }])
  })

  it('ends with the reason of the signal, also of one that is aborted already', async () => {
    const time = manualTimers()
    const reason = new Error('cancelled')
    const controller = new AbortController()
    const options = { timeout: 10, timers: time.timers, signal: controller.signal, expired: late }
    const waiting = withDeadline(never, options)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(withDeadline(never, options)).rejects.toBe(reason)
    expect(time.pending).toBe(0)
  })

  it('tells at once that the wait is over before the work is, and only then', async () => {
    const time = manualTimers()
    const controller = new AbortController()
    let abandoned = 0
    const options = { timeout: 10, timers: time.timers, expired: () => 0, abandon: () => abandoned++ }
    await withDeadline(Promise.resolve(1), options)
    expect(abandoned).toBe(0)
    withDeadline(never, { ...options, signal: controller.signal }).catch(() => {})
    controller.abort()
    expect(abandoned).toBe(1)
    const late = withDeadline<number>(never, options)
    await time.advance(10)
    expect(abandoned).toBe(2)
    await late
  })

  it('sets no timer without a limit', () => {
    const time = manualTimers()
    void withDeadline(never, { timers: time.timers, expired: late })
    void withDeadline(never, { timers: time.timers, timeout: Number.POSITIVE_INFINITY, expired: late })
    expect(time.pending).toBe(0)
  })
})

describe('sleep', () => {
  it('resolves when the time is over', async () => {
    const time = manualTimers()
    let isOver = false
    const slept = sleep(10, time.timers, new AbortController().signal).then(() => {
      isOver = true
    })
    await time.advance(9)
    expect(isOver).toBe(false)
    await time.advance(1)
    await slept
  })

  it('rejects with the reason of the signal, and leaves no timer', async () => {
    const time = manualTimers()
    const reason = new Error('woken')
    const controller = new AbortController()
    const slept = sleep(10, time.timers, controller.signal)
    controller.abort(reason)
    await expect(slept).rejects.toBe(reason)
    await expect(sleep(10, time.timers, controller.signal)).rejects.toBe(reason)
    expect(time.pending).toBe(0)
  })
})

describe('repeat', () => {
  it('waits between the end of one call and the next, survives failures, and stops', async () => {
    const time = manualTimers()
    const errors: unknown[] = []
    let calls = 0
    const stop = repeat(
      10,
      async () => {
        calls++
        await sleep(5, time.timers)
        if (calls === 2) throw new Error('once')
      },
      (error) => errors.push(error),
      time.timers,
    )
    await time.advance(40)
    expect([calls, errors.length]).toEqual([3, 1])
    stop()
    await time.advance(100)
    expect([calls, time.pending]).toEqual([3, 0])
  })

  it('does not go on when it is stopped while the task runs', async () => {
    const time = manualTimers()
    let calls = 0
    const stop: () => void = repeat(
      10,
      async () => {
        calls++
        stop()
      },
      () => {},
      time.timers,
    )
    await time.advance(100)
    expect([calls, time.pending]).toEqual([1, 0])
  })
})
