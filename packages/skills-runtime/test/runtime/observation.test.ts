import type { Logger } from '@minions/core/plugin'
import { describe, expect, it } from 'vitest'
import type { SkillsEvents } from '../../src/index.js'
import { scriptedSkill, settle } from '../../src/testing/index.js'
import { backends } from '../support/backends.js'
import { setUp } from '../support/runtime.js'

/** A logger that remembers its lines. */
function recorder() {
  const lines: Record<string, unknown>[] = []
  const make = (bound: object): Logger => {
    const at = (level: string) => (message: string, fields?: object) => {
      lines.push({ level, message, ...bound, ...fields })
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => make({ ...bound, ...fields }),
    }
  }
  return { lines, log: make({}) }
}

const names = [
  'agent.spawned',
  'agent.transition',
  'agent.pause-requested',
  'execution.started',
  'execution.retried',
  'execution.ended',
  'execution.progress',
  'execution.checkpoint',
] as const satisfies (keyof SkillsEvents)[]

describe.each(backends)('observing on $name', (backend) => {
  it('tells of every transition and execution, in order, with ids that join them', async () => {
    const { lines, log } = recorder()
    const skill = scriptedSkill(
      'skill',
      [
        { throw: new Error('first') },
        [
          { progress: 0.5 },
          { checkpoint: 1 },
          { wait: (context) => context.log.info('half way', { page: 3 }) },
          { return: {} },
        ],
      ],
      { max_retries: 1 },
    )
    const { manager, clock } = await setUp(backend, [skill], { log })
    const seen: string[] = []
    for (const name of names) {
      manager.events.on(name, (event) => {
        expect(event).toMatchObject({ mission_id: 'mission-1', task_id: 'task-7' })
        const { from, to, status, fraction } = event as unknown as Record<string, unknown>
        seen.push([name, from, to, status, fraction].filter((part) => part !== undefined).join(' '))
      })
    }
    const { agent_id } = await manager.spawn({ metadata: { mission_id: 'mission-1', task_id: 'task-7' } })
    const running = manager.run(agent_id, 'skill')
    await settle()
    await manager.pause(agent_id)
    await clock.advance(1000)
    await manager.resume(agent_id)
    await clock.until(running)
    expect(seen).toEqual([
      'agent.spawned',
      'execution.started',
      'agent.transition idle running',
      'execution.retried',
      'agent.pause-requested',
      'execution.progress 0.5',
      'agent.transition running paused',
      'execution.checkpoint',
      'agent.transition paused running',
      'execution.ended success',
      'agent.transition running completed',
    ])
    const [execution] = await manager.executions()
    const ids = { agent_id, mission_id: 'mission-1', task_id: 'task-7' }
    const line = (message: string) => lines.find((each) => each.message === message)
    expect(lines.filter(({ message }) => message === 'subagent changed state')).toHaveLength(4)
    expect(line('subagent changed state')).toMatchObject({ ...ids, from: 'idle', to: 'running' })
    const executionIds = { ...ids, execution_id: execution?.execution_id, skill_name: 'skill', skill_version: '1.0.0' }
    expect(line('execution ended')).toMatchObject({ ...executionIds, level: 'info', status: 'success', retry_count: 1 })
    expect(line('execution is tried again')).toMatchObject({ ...executionIds, level: 'warn' })
    expect(line('half way')).toMatchObject({ ...executionIds, level: 'info', page: 3 })
  })

  it('tells nothing of a change that was refused, and survives listeners that throw', async () => {
    const { lines, log } = recorder()
    const { manager } = await setUp(backend, [scriptedSkill('skill')], { log })
    const seen: unknown[] = []
    manager.events.on('agent.transition', () => {
      throw new Error('listener')
    })
    manager.events.on('agent.transition', (event) => seen.push(event.to))
    const { agent_id } = await manager.spawn()
    await manager.run(agent_id, 'skill')
    await manager.cancel(agent_id).catch(() => undefined)
    expect(seen).toEqual(['running', 'completed'])
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2)
  })
})
