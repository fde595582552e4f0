import { describe, expect, it } from 'vitest'
import { defineSkill, EXECUTION_LOG_LIMITS, type SkillContext, validateExecution } from '../../src/index.js'
import { scriptedSkill, settle } from '../../src/testing/index.js'
import { backends, stores } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

function skillOf(name: string, execute: (context: SkillContext) => unknown, more: object = {}) {
  return defineSkill({
    name,
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    execute: async (_params, context) => {
      await execute(context)
      return {}
    },
    ...more,
  })
}

const messages = ({ lines }: { lines: readonly { message: string }[] }) => lines.map(({ message }) => message)

describe.each(backends)('the log of an execution on $name', (backend) => {
  it('keeps lines and progress in order, over all attempts', async () => {
    let attempt = 0
    const skill = skillOf(
      'skill',
      (context) => {
        context.log.info('begun', { page: 1 })
        context.progress(0.25, 'a quarter')
        if (++attempt === 1) throw new Error('no luck')
        context.log.error('worse')
        context.progress(0.75)
      },
      { max_retries: 1 },
    )
    const { manager, clock } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    await clock.until(manager.run(agent_id, 'skill'))
    const [execution] = await manager.executions({ agent_id })
    const id = execution?.execution_id as string
    const log = await manager.executionLog(id)
    expect(log).toMatchObject({
      execution_id: id,
      agent_id,
      dropped: 0,
      progress: { fraction: 0.75, note: null, at: expect.stringMatching(/^2025-12-19T10:05:0.+Z$/) },
      lines: [
        { attempt: 1, level: 'info', message: 'begun', fields: { page: 1 } },
        { attempt: 1, level: 'warn', message: 'The attempt failed and is repeated: no luck' },
        { attempt: 2, level: 'info', message: 'begun' },
        { attempt: 2, level: 'error', message: 'worse' },
      ],
    })
    expect(messages(await manager.executionLog(id, { level: 'warn' }))).toEqual([log.lines[1]?.message, 'worse'])
    expect(messages(await manager.executionLog(id, { limit: 1 }))).toEqual(['worse'])
    expect(validateExecution(execution).valid).toBe(true)
  })

  it('is empty for an execution that said nothing, and there is none for one that never was', async () => {
    const { manager } = await setUp(backend, [scriptedSkill('skill')])
    const { agent_id } = await manager.spawn()
    await manager.run(agent_id, 'skill')
    const [execution] = await manager.executions()
    const id = execution?.execution_id as string
    expect(await manager.executionLog(id)).toEqual({
      execution_id: id,
      agent_id,
      progress: null,
      lines: [],
      dropped: 0,
    })
    await expect(manager.executionLog('nothing')).rejects.toMatchObject(coded('NOT_FOUND'))
    await expect(manager.executionLog(id, { level: 'loud' as 'info' })).rejects.toMatchObject(
      coded('VALIDATION_FAILED'),
    )
    await expect(manager.executionLog(id, { limit: -1 })).rejects.toMatchObject(coded('VALIDATION_FAILED'))
  })

  it('can be read while the execution runs, and is kept when it fails or is cancelled', async () => {
    const { promise, resolve } = deferred()
    const skill = skillOf('skill', async ({ log, signal }) => {
      log.info('waiting')
      await Promise.race([promise, new Promise((_, reject) => signal.addEventListener('abort', reject))])
      log.warn('failing')
      throw new Error('no')
    })
    const { manager } = await setUp(backend, [skill])
    const [first, second] = [await manager.spawn(), await manager.spawn()]
    const running = [first, second].map(({ agent_id }) => manager.run(agent_id, 'skill').catch(() => undefined))
    await settle()
    const idOf = async ({ agent_id }: { agent_id: string }) =>
      (await manager.executions({ agent_id }))[0]?.execution_id as string
    expect(messages(await manager.executionLog(await idOf(first)))).toEqual(['waiting'])
    await manager.cancel(second.agent_id)
    resolve()
    await Promise.all(running)
    expect(messages(await manager.executionLog(await idOf(first)))).toEqual(['waiting', 'failing'])
    expect(messages(await manager.executionLog(await idOf(second)))).toEqual(['waiting'])
  })

  it('is bounded in lines and bytes, and takes anything', async () => {
    const { lines, bytes, message } = EXECUTION_LOG_LIMITS
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const skill = skillOf('skill', ({ log }) => {
      for (let line = 0; line < lines + 5; line++) log.debug(`line ${line}`)
      log.info('x'.repeat(message * 2))
      log.info('\0\ud800')
      log.info('cyclic', cyclic as never)
      log.info(Symbol('no text') as never, 5 as never)
    })
    const wide = skillOf('wide', ({ log }) => {
      for (let line = 0; line < 500; line++) log.debug('wide', { text: 'é'.repeat(2000) })
    })
    const { manager } = await setUp(backend, [skill, wide])
    const logOf = async (name: string) => {
      const { agent_id } = await manager.spawn()
      await manager.run(agent_id, name)
      return manager.executionLog((await manager.executions({ agent_id }))[0]?.execution_id as string)
    }
    const log = await logOf('skill')
    expect(log.lines).toHaveLength(lines)
    expect(log.dropped).toBe(9)
    expect(log.lines[0]?.message).toBe('line 9')
    const [long, odd, circle, symbol] = log.lines.slice(-4)
    expect(long?.message).toHaveLength(message)
    expect(odd?.message).toBe('\ufffd\ufffd')
    expect(circle).not.toHaveProperty('fields')
    expect(symbol?.message).toBe('symbol')
    const { lines: kept, dropped } = await logOf('wide')
    expect(kept.length + dropped).toBe(500)
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(bytes * 1.1)
  })
})

describe.each(stores)('the log of an execution on $name', (backend) => {
  it('costs no transaction of its own where the execution commits anyway', async () => {
    const { manager, store } = await setUp(backend, [
      skillOf('quiet', () => undefined),
      skillOf('loud', ({ log }) => log.info('hello')),
    ])
    const transactions = async (name: string) => {
      let count = 0
      const { transaction } = store as NonNullable<typeof store>
      Object.assign(store as object, {
        transaction: (...args: Parameters<typeof transaction>) => {
          count++
          return transaction.apply(store, args)
        },
      })
      const { agent_id } = await manager.spawn()
      await manager.run(agent_id, name)
      Object.assign(store as object, { transaction })
      return count
    }
    await transactions('quiet')
    expect(await transactions('loud')).toBe(await transactions('quiet'))
  })

  it('is there for another process while the execution runs, and goes on after it was taken over', async () => {
    const { promise, resolve } = deferred()
    const skill = skillOf('skill', async (context) => {
      context.log.info(`begun from ${context.state ?? 'nothing'}`)
      if (context.state === undefined) await context.checkpoint(1)
      context.log.info('after')
      await promise
    })
    const { manager, another, clock } = await setUp(backend, [skill])
    const other = await another()
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'skill').catch(() => undefined)
    await settle()
    const [execution] = await other.executions({ agent_id })
    const id = execution?.execution_id as string
    expect(messages(await other.executionLog(id))).toEqual(['begun from nothing'])
    await clock.advance(2000)
    expect(messages(await other.executionLog(id))).toEqual(['begun from nothing', 'after'])
    await clock.until(manager.shutdown(0))
    await running
    await clock.until(other.resume(agent_id))
    resolve()
    await clock.until(other.wait(agent_id))
    expect(messages(await other.executionLog(id))).toEqual(['begun from nothing', 'after', 'begun from 1', 'after'])
  })
})
