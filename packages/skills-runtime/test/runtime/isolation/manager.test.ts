import { afterEach, describe, expect, it } from 'vitest'
import { defineSkill, SubagentManager, type SubagentManagerOptions } from '../../../src/index.js'
import { VirtualClock } from '../../../src/testing/index.js'

const module = new URL('./skills/behaviours.mjs', import.meta.url)

function workerSkill(
  exportName: string,
  timeout = 30,
  name = exportName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
) {
  const parameters_schema = { type: 'object' }
  return defineSkill({
    name,
    version: '1.0.0',
    parameters_schema,
    timeout,
    isolation: 'worker',
    module,
    export: exportName,
  })
}

const heartbeat = defineSkill({
  name: 'heartbeat',
  version: '1.0.0',
  parameters_schema: { type: 'object' },
  async execute(_, { signal }) {
    let beats = 0
    while (!signal.aborted && beats < 10_000) {
      beats++
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (isOver) return { beats }
    }
    return { beats }
  },
})

let isOver = false
let manager: SubagentManager

async function setUp(options: SubagentManagerOptions = {}) {
  isOver = false
  manager = new SubagentManager({ ...options, workers: { threads: 2, maxHeapMb: 32, graceMs: 20 } })
  manager.registry.registerAll([
    heartbeat,
    workerSkill('execute'),
    workerSkill('loopForEver', 1),
    workerSkill('crash'),
    workerSkill('overflowHeap'),
    workerSkill('exit'),
    workerSkill('untilAborted'),
    workerSkill('hang', 1),
    workerSkill('checkpointOnce'),
  ])
  return (await manager.spawn()).agent_id
}

afterEach(() => manager.shutdown())

describe('agents with worker skills', () => {
  it.each([
    ['loop-for-ever', {}, 'SKILL_TIMEOUT', 'timeout', 'timed out after 1 s'],
    ['crash', {}, 'SKILL_FAILED', 'failed', 'nobody catches this'],
    ['overflow-heap', {}, 'SKILL_FAILED', 'failed', 'memory limit'],
    ['exit', { code: 7 }, 'SKILL_FAILED', 'failed', 'exit code 7'],
  ])('%s: the agent fails with a record of it, host and others go on', async (name, params, code, status, text) => {
    const bad = await setUp()
    const inline = manager.run((await manager.spawn()).agent_id, 'heartbeat')
    const neighbour = (await manager.spawn()).agent_id
    const waiting = manager.run(neighbour, 'until-aborted').catch((error) => error)
    await expect(manager.run(bad, name, params)).rejects.toMatchObject({ code })
    expect(await manager.get(bad)).toMatchObject({ state: 'failed', error: expect.stringContaining(text) })
    expect(await manager.executions({ agent_id: bad })).toMatchObject([
      { status, error: expect.stringContaining(text) },
    ])
    expect(await manager.get(neighbour)).toMatchObject({ state: 'running' })
    const after = await manager.run((await manager.spawn()).agent_id, 'execute', { n: 1 })
    expect(after).toMatchObject({ n: 2, isMainThread: false })
    isOver = true
    expect((await inline) as { beats: number }).toMatchObject({ beats: expect.any(Number) })
    await manager.cancel(neighbour)
    expect(await waiting).toMatchObject({ code: 'CANCELLED' })
  })

  it('wait for a thread without their time running out', async () => {
    const clock = new VirtualClock()
    const first = await setUp(clock.parts)
    const quick = workerSkill('execute', 1, 'quick')
    manager.registry.registerSkill(quick)
    let begun = 0
    const haveBegun = new Promise<void>((resolve) => {
      manager.events.on('execution.progress', () => {
        if (++begun === 2) resolve()
      })
    })
    const hanging = [first, (await manager.spawn()).agent_id].map((id) =>
      manager.run(id, 'hang').catch((error) => error),
    )
    const waiting = manager.run((await manager.spawn()).agent_id, 'quick', { n: 1 })
    // Starting a thread takes none of the time of a skill.
    await clock.advance(1000)
    await haveBegun
    await clock.advance(1000)
    expect(await Promise.all(hanging)).toMatchObject([{ code: 'SKILL_TIMEOUT' }, { code: 'SKILL_TIMEOUT' }])
    expect(await waiting).toMatchObject({ n: 2 })
  })

  it('that never yield are stopped at shutdown, and can be resumed', async () => {
    const id = await setUp()
    manager.registry.registerSkill(workerSkill('loopForEver', 60, 'loop-long'))
    const running = manager.run(id, 'loop-long').catch((error) => error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await manager.shutdown(100)
    expect(await running).toMatchObject({ code: 'INTERRUPTED' })
    expect(await manager.get(id)).toMatchObject({ state: 'running' })
  })

  it('checkpoint through the host, and resume from there', async () => {
    const id = await setUp()
    expect(await manager.run(id, 'checkpoint-once')).toEqual({ before: null, storage: 'undefined' })
    expect(await manager.get(id)).toMatchObject({ state: 'completed' })
  })
})
