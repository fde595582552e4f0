import { Compile } from 'typebox/compile'
import { describe, expect, it, vi } from 'vitest'
import { type Executable, type ExecutionResult, runExecutable } from '../../src/execution/index.js'
import { ExecutionResultSchema } from '../../src/schemas/index.js'

const well = Compile(ExecutionResultSchema)

function ticking(): () => number {
  let time = Date.parse('2026-01-31T09:30:00.000Z')
  return () => time++
}
const startedAt = '2026-01-31T09:30:00.000Z'
const completedAt = '2026-01-31T09:30:00.001Z'

function executable(execute: (...args: Parameters<Executable['execute']>) => unknown): Executable {
  return { execute: execute as Executable['execute'] }
}

describe('runExecutable', () => {
  it('returns the result as the executable made it', async () => {
    const result: ExecutionResult = {
      output: { answer: 42 },
      status: 'completed',
      startedAt: '2020-01-01T00:00:00Z',
      completedAt: '2020-01-01T00:00:01Z',
      metadata: { tokens: 7 },
    }
    expect(await runExecutable(executable(async () => result))).toEqual(result)
    const failed = { ...result, status: 'failed', error: 'no luck' }
    expect(await runExecutable(executable(async () => failed))).toEqual(failed)
  })

  it('fills in times and output', async () => {
    const run = executable(() => ({ status: 'completed', startedAt: 'yesterday', completedAt: 5, cost: 3 }))
    expect(await runExecutable(run, {}, { clock: ticking() })).toEqual({
      output: null,
      status: 'completed',
      startedAt,
      completedAt,
      cost: 3,
    })
  })

  it.each<[string, () => unknown, string]>([
    [
      'an error',
      () => {
        throw new Error('out of cheese')
      },
      'out of cheese',
    ],
    [
      'an error without a message',
      () => {
        throw new TypeError()
      },
      'TypeError',
    ],
    ['a rejection', () => Promise.reject(new Error('later')), 'later'],
    [
      'a string',
      () => {
        throw 'plain'
      },
      'plain',
    ],
    [
      'something like an error',
      () => {
        throw { message: 'alike' }
      },
      'alike',
    ],
    [
      'an object',
      () => {
        throw { code: 7 }
      },
      '{"code":7} was thrown',
    ],
    [
      'undefined',
      () => {
        throw undefined
      },
      'undefined was thrown',
    ],
    ['null', () => Promise.reject(null), 'null was thrown'],
    [
      'a symbol',
      () => {
        throw Symbol('s')
      },
      'Symbol(s) was thrown',
    ],
    [
      'a circle',
      () => {
        const circle: unknown[] = []
        circle.push(circle)
        throw circle
      },
      'something was thrown that cannot be shown',
    ],
  ])('answers %s with a failed result', async (_, execute, error) => {
    const result = await runExecutable(executable(execute), {}, { clock: ticking() })
    expect(result).toStrictEqual({ output: null, status: 'failed', error, startedAt, completedAt })
    expect(well.Check(result)).toBe(true)
  })

  it.each([undefined, null, 42, 'done', [], {}, { output: 1 }, { output: 1, status: 'done' }])(
    'takes %j for no result and keeps it as the output',
    async (returned) => {
      const result = await runExecutable(
        executable(async () => returned),
        {},
        { clock: ticking() },
      )
      expect(result).toMatchObject({ output: returned ?? null, status: 'failed', startedAt, completedAt })
      expect(result.error).toContain('status')
      expect(well.Check(result)).toBe(true)
    },
  )

  it('repairs an error that is no text and drops metadata that is no object', async () => {
    const returned = { output: 1, status: 'failed', error: new Error('inner'), metadata: 'none' }
    const result = await runExecutable(
      executable(async () => returned),
      {},
      { clock: ticking() },
    )
    expect(result).toStrictEqual({ output: 1, status: 'failed', error: 'inner', startedAt, completedAt })
  })

  it('answers something that cannot be executed', async () => {
    for (const broken of [null, undefined, {}, { execute: 1 }]) {
      expect(await runExecutable(broken as never)).toMatchObject({ status: 'failed', output: null })
    }
  })

  it('hands over a copy of the input', async () => {
    const input = { list: [1], missing: undefined }
    const run = executable(async (given) => {
      ;(given.list as number[]).push(2)
      return { status: 'completed', output: given }
    })
    expect(await runExecutable(run, input)).toMatchObject({ output: { list: [1, 2] } })
    expect(input.list).toEqual([1])
  })

  it('fails on input that is not JSON without running anything', async () => {
    const execute = vi.fn()
    const result = await runExecutable(executable(execute), { f: () => 1 })
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('/f') })
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('cancelling', () => {
  it('does not start when it is aborted already', async () => {
    const execute = vi.fn()
    const result = await runExecutable(executable(execute), {}, { signal: AbortSignal.abort(), clock: ticking() })
    expect(result).toStrictEqual({
      output: null,
      status: 'cancelled',
      error: 'This operation was aborted',
      startedAt,
      completedAt,
    })
    expect(execute).not.toHaveBeenCalled()
  })

  it('ends at once when the executable ignores the signal, and ignores what comes later', async () => {
    const controller = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const run = executable(
      () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    )
    const running = runExecutable(run, {}, { signal: controller.signal })
    controller.abort(new Error('changed my mind'))
    expect(await running).toMatchObject({ status: 'cancelled', error: 'changed my mind' })
    fail(new Error('too late'))
    await new Promise((resolve) => setImmediate(resolve))
  })

  it('tells the executable, and whatever it throws then is the cancellation', async () => {
    const controller = new AbortController()
    const seen: unknown[] = []
    const run = executable(
      (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            seen.push(signal.reason)
            reject(new Error('stopped'))
          })
        }),
    )
    const running = runExecutable(run, {}, { signal: controller.signal })
    controller.abort('enough')
    expect(await running).toMatchObject({ status: 'cancelled', output: null })
    expect(seen).toEqual(['enough'])
  })

  it('does not touch a result that came before', async () => {
    const controller = new AbortController()
    const run = executable(async () => ({ status: 'completed', output: 1 }))
    const result = await runExecutable(run, {}, { signal: controller.signal })
    controller.abort()
    expect(result.status).toBe('completed')
  })

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await runExecutable(
      executable(async () => ({ status: 'completed' })),
      {},
      { signal },
    )
    expect(added.mock.calls.map(([, listener]) => listener)).toEqual(removed.mock.calls.map(([, listener]) => listener))
  })
})

describe('time limit', () => {
  it('fails and aborts the executable when the time is over', async () => {
    let signal: AbortSignal | undefined
    const run = executable((_, context) => {
      signal = context.signal
      return new Promise(() => undefined)
    })
    const result = await runExecutable(run, {}, { timeout: 5 })
    expect(result).toMatchObject({ status: 'failed', error: 'The execution did not end within 5 ms.' })
    expect(signal?.aborted).toBe(true)
  })

  it('accepts limits longer than a timer can wait', async () => {
    const run = executable(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return { status: 'completed' }
    })
    for (const timeout of [2 ** 31, Number.POSITIVE_INFINITY]) {
      expect((await runExecutable(run, {}, { timeout })).status).toBe('completed')
    }
  })

  it.each([0, -1, Number.NaN])('answers the impossible limit %d with a failure', async (timeout) => {
    const result = await runExecutable(
      executable(async () => ({ status: 'completed' })),
      {},
      { timeout },
    )
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('timeout') })
  })
})
