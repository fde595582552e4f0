import { describe, expect, it } from 'vitest'
import { defineSkill, validateExecution, validateSubagent } from '../../src/index.js'
import { backends } from '../support/backends.js'
import { setUp } from '../support/runtime.js'

describe.each(backends)('fetch object on $name', (backend) => {
  it('produces the documented records', async () => {
    const { manager, clock } = await setUp(backend)
    const skill = (name: string, dependencies: string[], milliseconds: number, result: object) =>
      defineSkill({
        name,
        version: '1.0.0',
        dependencies,
        parameters_schema: { type: 'object' },
        async execute() {
          await clock.sleep(milliseconds)
          return result
        },
      })
    manager.registry.registerAll([
      skill('grasp', ['detect'], 1000, { grasped: true }),
      skill('detect', ['navigate'], 2000, { objects: ['cup'] }),
      skill('navigate', [], 5000, { final_position: { x: 10, y: 5 } }),
    ])

    const spawned = await manager.spawn({ name: 'Fetcher-1' })
    expect(spawned).toEqual({
      agent_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Fetcher-1',
      state: 'idle',
      assigned_skill: null,
      skill_params: null,
      results: {},
      error: null,
      created_at: '2025-12-19T10:05:00.000Z',
      started_at: null,
      completed_at: null,
      metadata: {},
    })
    await clock.advance(10_000)

    const { agent_id } = spawned
    const running = manager.runChain(agent_id, 'grasp', {
      navigate: { location: 'kitchen' },
      detect: { area: 'kitchen' },
      grasp: ({ detect }) => ({ object_id: (detect as { objects: string[] }).objects[0] }),
    })
    await clock.advance(4000)
    expect(await manager.get(agent_id)).toMatchObject({
      state: 'running',
      assigned_skill: 'navigate',
      skill_params: { location: 'kitchen' },
      started_at: '2025-12-19T10:05:10.000Z',
    })
    expect(await manager.executions({ agent_id })).toMatchObject([{ skill_name: 'navigate', status: 'pending' }])
    await clock.advance(2000)
    expect(await manager.get(agent_id)).toMatchObject({
      state: 'running',
      assigned_skill: 'detect',
      skill_params: { area: 'kitchen' },
      results: { navigate: { final_position: { x: 10, y: 5 } } },
    })

    const results = {
      navigate: { final_position: { x: 10, y: 5 } },
      detect: { objects: ['cup'] },
      grasp: { grasped: true },
    }
    expect(await clock.until(running)).toEqual(results)
    const agent = await manager.get(agent_id)
    expect(agent).toEqual({
      ...spawned,
      state: 'completed',
      assigned_skill: 'grasp',
      skill_params: { object_id: 'cup' },
      results,
      started_at: '2025-12-19T10:05:10.000Z',
      completed_at: '2025-12-19T10:05:18.000Z',
    })
    expect(validateSubagent(agent)).toEqual({ valid: true, errors: [] })

    const executions = await manager.executions({ agent_id })
    const common = { agent_id, skill_version: '1.0.0', error: null, status: 'success', retry_count: 0 }
    expect(executions).toEqual([
      {
        ...common,
        execution_id: expect.any(String),
        skill_name: 'navigate',
        parameters: { location: 'kitchen' },
        result: results.navigate,
        started_at: '2025-12-19T10:05:10.000Z',
        completed_at: '2025-12-19T10:05:15.000Z',
        duration_ms: 5000,
      },
      {
        ...common,
        execution_id: expect.any(String),
        skill_name: 'detect',
        parameters: { area: 'kitchen' },
        result: results.detect,
        started_at: '2025-12-19T10:05:15.000Z',
        completed_at: '2025-12-19T10:05:17.000Z',
        duration_ms: 2000,
      },
      {
        ...common,
        execution_id: expect.any(String),
        skill_name: 'grasp',
        parameters: { object_id: 'cup' },
        result: results.grasp,
        started_at: '2025-12-19T10:05:17.000Z',
        completed_at: '2025-12-19T10:05:18.000Z',
        duration_ms: 1000,
      },
    ])
    for (const execution of executions) expect(validateExecution(execution)).toEqual({ valid: true, errors: [] })
  })
})
