import { afterAll, describe, expect, it } from 'vitest'
import {
  defineSkill,
  type Message,
  type SkillContext,
  WorkerRunner,
  type WorkerRunnerOptions,
} from '../../../src/index.js'

const module = new URL('./skills/behaviours.mjs', import.meta.url)

function workerSkill(name: string) {
  return defineSkill({
    name: 'worker-skill',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    isolation: 'worker',
    module,
    export: name,
  })
}

const runners: WorkerRunner[] = []

function createRunner(options: WorkerRunnerOptions = {}): WorkerRunner {
  const runner = new WorkerRunner({ threads: 2, graceMs: 20, ...options })
  runners.push(runner)
  return runner
}

afterAll(() => Promise.all(runners.map((runner) => runner.close())))

function createContext(changes: Partial<SkillContext> = {}): SkillContext {
  const nobody = async (): Promise<never> => {
    throw new Error('not in this test')
  }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  return {
    signal: new AbortController().signal,
    agentId: 'agent-1',
    executionId: 'execution-1',
    attempt: 1,
    idempotencyKey: 'key-1',
    elapsedMs: 0,
    state: undefined,
    log,
    progress() {},
    checkpoint: nobody,
    onCommit() {},
    publish: nobody,
    send: nobody,
    request: nobody,
    reply: nobody,
    receive: nobody,
    ...changes,
  }
}

function run(runner: WorkerRunner, name: string, params: Record<string, unknown> = {}, context = createContext()) {
  return runner.run(workerSkill(name), params, context)
}

/** The host is not held up: a timer goes off while a thread misbehaves, or else the test never ends. */
async function expectHostAlive(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1))
}

describe('a skill in a worker', () => {
  it('has time that does not run while its thread starts, and no other waiting', async () => {
    const runner = createRunner({ threads: 1 })
    const told: string[] = []
    const clock = { hold: () => void told.push('hold'), unhold: () => void told.push('unhold') }
    const context = createContext({ progress: () => void told.push('progress') })
    await runner.run(workerSkill('reports'), {}, context, clock)
    expect(told).toEqual(['hold', 'unhold', 'progress'])
    await runner.run(workerSkill('reports'), {}, context, clock)
    expect(told.slice(3)).toEqual(['progress'])
  })

  it('runs in another thread and uses threads again', async () => {
    const runner = createRunner({ threads: 1 })
    const first = await run(runner, 'execute', { n: 1 })
    expect(first).toMatchObject({ n: 2, isMainThread: false })
    const second = (await run(runner, 'execute', { n: 2 })) as { threadId: number }
    expect(second.threadId).toBe((first as { threadId: number }).threadId)
    expect(runner.threads).toBe(1)
  })

  it('uses its context as remote calls', async () => {
    const calls: unknown[] = []
    const record =
      (name: string, payload: object) =>
      (...args: unknown[]) => {
        calls.push([name, ...args])
        return Promise.resolve({ message_type: 'event', payload } as Message)
      }
    const lines: unknown[] = []
    const log = createContext().log
    const context = createContext({
      state: { step: 4 },
      attempt: 3,
      log: { ...log, info: (...line) => lines.push(line), warn: (...line) => lines.push(line) },
      progress: (...args) => calls.push(['progress', ...args]),
      checkpoint: async (state) => {
        calls.push(['checkpoint', state])
      },
      send: record('send', {}),
      publish: record('publish', {}),
      request: record('request', { answer: 42 }),
      receive: record('receive', { mail: true }),
    })
    const result = await run(createRunner(), 'useContext', {}, context)
    expect(result).toEqual({
      facts: ['agent-1', 'execution-1', 3, 'key-1'],
      sent: 'event',
      answer: { answer: 42 },
      mail: { mail: true },
      methods: [
        'checkpoint',
        'constructor',
        'elapsedMs',
        'onCommit',
        'progress',
        'publish',
        'receive',
        'reply',
        'request',
        'send',
        'signal',
      ],
    })
    expect(calls).toEqual([
      ['progress', 0.5, 'half'],
      ['checkpoint', { step: 5 }],
      ['send', 'agent-2', { hello: true }, { priority: 1 }],
      ['publish', 'worker.news', { from: 'agent-1' }, undefined],
      ['request', 'agent-2', { question: 1 }, { timeout: 1000 }],
      ['receive', { timeout: 1000 }],
    ])
    expect(lines).toEqual([
      ['begun', { attempt: 3 }],
      ['done', undefined],
    ])
  })

  it('gets errors of its calls, and may pass them on', async () => {
    const checkpoint = async () => {
      const { MinionsError } = await import('@minions/core')
      throw new MinionsError('LEASE_LOST', 'gone', { details: { token: 1 } })
    }
    const result = await run(createRunner(), 'failInHost', {}, createContext({ checkpoint }))
    expect(result).toEqual({ failed: true, name: 'MinionsError', code: 'LEASE_LOST', details: { token: 1 } })
    const { isMinionsError } = await import('@minions/core')
    const error = await run(createRunner(), 'letItThrow', {}, createContext({ checkpoint })).catch((thrown) => thrown)
    expect(isMinionsError(error, 'LEASE_LOST')).toBe(true)
  })

  it('has said everything before its result is there', async () => {
    const lines: string[] = []
    const heard: number[] = []
    const log = { ...createContext().log, debug: (line: string) => lines.push(line) }
    const context = createContext({ log, progress: (fraction) => heard.push(fraction) })
    await run(createRunner(), 'logAndReturn', {}, context)
    expect(lines).toHaveLength(100)
    expect(heard).toEqual([1])
  })

  it('is heard even if it ends its thread then', async () => {
    const lines: string[] = []
    const log = { ...createContext().log, debug: (line: string) => lines.push(line) }
    await expect(run(createRunner(), 'logAndExit', {}, createContext({ log }))).rejects.toThrow('exit code 1')
    expect(lines).toEqual(['last words'])
  })

  it('cannot use its context any more when it has ended, nor that of the next in its thread', async () => {
    const runner = createRunner({ threads: 1 })
    const calls: string[] = []
    const contextOf = (name: string) =>
      createContext({
        log: { ...createContext().log, debug: () => calls.push(`${name} log`) },
        progress: () => calls.push(`${name} progress`),
        checkpoint: async () => void calls.push(`${name} checkpoint`),
        publish: async () => {
          calls.push(`${name} publish`)
          return {} as Message
        },
      })
    await run(runner, 'leaveBehind', {}, contextOf('first'))
    const result = await run(runner, 'wakeTheDead', {}, contextOf('second'))
    expect(result).toEqual({ answer: 'silence', aborted: false })
    expect(calls).toEqual(['second checkpoint', 'second checkpoint'])
  })

  it('fails with what it threw', async () => {
    const runner = createRunner()
    const error = (await run(runner, 'fail').catch((thrown) => thrown)) as Error
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'RangeError',
      message: 'too far',
      code: 'FAR',
      details: { by: 3 },
      retryable: false,
    })
    expect(error.stack).toContain('behaviours.mjs')
    await expect(run(runner, 'failOddly', { how: 'text' })).rejects.toThrow('a text')
    await expect(run(runner, 'failOddly', { how: 'nothing' })).rejects.toThrow('undefined was thrown')
    await expect(run(runner, 'failOddly', { how: 'trap' })).rejects.toThrow('cannot be shown')
    await expect(run(runner, 'overflowStack')).rejects.toThrow('call stack')
    const noProgress = { code: 'VALIDATION_FAILED', message: expect.stringContaining('from 0 to 1') }
    await expect(run(runner, 'badProgress')).rejects.toMatchObject(noProgress)
    await expect(run(runner, 'joinCommit')).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
    await expect(run(runner, 'returnFunction')).rejects.toThrow('could not be cloned')
    await expect(run(runner, 'notAFunction')).rejects.toThrow('exports no function "notAFunction"')
    await expect(run(runner, 'toString')).rejects.toThrow('exports no function')
    const missing = { ...workerSkill('execute'), module: new URL('./skills/missing.mjs', import.meta.url) }
    await expect(runner.run(missing, {}, createContext())).rejects.toThrow('missing.mjs')
    expect(await run(runner, 'execute')).toMatchObject({ n: 1 })
  })

  it('ends by itself when it heeds the signal, and its thread lives on', async () => {
    const runner = createRunner({ threads: 1, graceMs: 5000 })
    const { threadId } = (await run(runner, 'execute')) as { threadId: number }
    const controller = new AbortController()
    const running = run(runner, 'untilAborted', {}, createContext({ signal: controller.signal }))
    controller.abort(new Error('time is up'))
    expect(await running).toEqual({ reason: 'time is up' })
    expect(await run(runner, 'execute')).toMatchObject({ threadId })
    await expect(run(runner, 'execute', {}, createContext({ signal: controller.signal }))).rejects.toThrow('time is up')
  })

  it('that answered within its grace is heard, however late the host listens', async () => {
    const runner = createRunner({ threads: 1, graceMs: 1 })
    const controller = new AbortController()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    let running: Promise<unknown> | undefined
    await new Promise<void>((begun) => {
      const context = createContext({ signal: controller.signal, progress: () => begun() })
      running = run(runner, 'answerAbort', { flag }, context)
    })
    controller.abort(new Error('time is up'))
    // Holds up the host until the answer is there, and the grace long over.
    Atomics.wait(flag, 0, 0)
    expect(await running).toEqual({ reason: 'time is up' })
  })

  it('reaches no storage, and changes nothing in the host', async () => {
    const runner = createRunner({ threads: 1 })
    expect(await run(runner, 'lookAround')).toMatchObject({ globals: [] })
    await run(runner, 'changeEnvironment')
    await run(runner, 'postNonsense')
    expect(process.env.MINIONS_TEST_MARK).toBeUndefined()
    expect('changed' in globalThis).toBe(false)
  })

  it('waits for a free thread, in order, and can be called off meanwhile', async () => {
    const runner = createRunner({ threads: 1 })
    const controller = new AbortController()
    const ends: string[] = []
    const end = (name: string) => () => ends.push(name)
    const hanging = run(runner, 'hang', {}, createContext({ signal: controller.signal })).catch(end('hang'))
    const waiting = new AbortController()
    const calledOff = run(runner, 'execute', {}, createContext({ signal: waiting.signal })).catch(end('called off'))
    const second = run(runner, 'execute').then(end('second'))
    const third = run(runner, 'execute').then(end('third'))
    waiting.abort(new Error('no longer'))
    await calledOff
    controller.abort(new Error('stop'))
    await Promise.all([hanging, second, third])
    expect(ends).toEqual(['called off', 'hang', 'second', 'third'])
  })
})

describe('a skill that misbehaves', () => {
  const timeout = new Error('timed out')

  it('in an endless loop is stopped with its thread', async () => {
    const runner = createRunner()
    const neighbour = createContext({ signal: new AbortController().signal })
    const controller = new AbortController()
    const looping = run(runner, 'loopForEver', {}, createContext({ signal: controller.signal }))
    const failure = expect(looping).rejects.toBe(timeout)
    await expectHostAlive()
    expect(await run(runner, 'execute', { n: 6 }, neighbour)).toMatchObject({ n: 7 })
    controller.abort(timeout)
    await failure
    expect(await Promise.all([run(runner, 'execute'), run(runner, 'execute')])).toHaveLength(2)
  })

  it.each([
    ['that crashes', 'crash', {}, { code: 'WORKER_CRASHED', message: expect.stringContaining('nobody catches this') }],
    ['whose promise nobody awaits', 'rejectUnseen', {}, { code: 'WORKER_CRASHED' }],
    [
      'that fills the heap',
      'overflowHeap',
      {},
      { code: 'WORKER_OUT_OF_MEMORY', details: { skill_name: 'worker-skill' } },
    ],
    ['that exits', 'exit', { code: 3 }, { code: 'WORKER_EXITED', details: { exit_code: 3 } }],
    ['that exits in peace', 'exit', { code: 0 }, { code: 'WORKER_EXITED', details: { exit_code: 0 } }],
  ])('%s fails alone, and the pool recovers', async (_, name, params, expected) => {
    const runner = createRunner({ threads: 2, maxHeapMb: 32, graceMs: 30_000 })
    const neighbourSignal = new AbortController()
    const neighbour = run(runner, 'untilAborted', {}, createContext({ signal: neighbourSignal.signal }))
    const failure = expect(run(runner, name, params)).rejects.toMatchObject(expected)
    await expectHostAlive()
    await failure
    // More than there are threads, so that the place of the dead one is needed.
    const results = await Promise.all([1, 2, 3].map((n) => run(runner, 'execute', { n })))
    expect(results).toMatchObject([{ n: 2 }, { n: 3 }, { n: 4 }])
    neighbourSignal.abort(new Error('enough'))
    expect(await neighbour).toEqual({ reason: 'enough' })
  })

  it('and returns before its rejection is noticed fails itself, not the next in its thread', async () => {
    const runner = createRunner({ threads: 1 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => run(runner, n % 2 === 0 ? 'rejectAndReturn' : 'execute', { n })),
    )
    const crash = { status: 'rejected', reason: { code: 'WORKER_CRASHED' } }
    expect(outcomes).toMatchObject(outcomes.map((_, n) => (n % 2 === 0 ? crash : { value: { n: n + 1 } })))
  })

  it('again and again leaves the pool as good as new', async () => {
    const runner = createRunner({ threads: 2 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => run(runner, n % 2 === 0 ? 'exit' : 'execute', { code: 1, n })),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(outcomes.map((_, n) => n % 2 === 1))
    expect(runner.threads).toBeLessThanOrEqual(2)
  })
})
