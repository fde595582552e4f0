import { describe, expect, it } from 'vitest'
import { scriptedSkill } from '../../src/testing/index.js'
import { backends } from '../support/backends.js'
import { coded, setUp } from '../support/runtime.js'

describe.each(backends)('listing by time on $name', (backend) => {
  it('gives what began in a window, from its beginning and up to its end', async () => {
    const { manager, clock } = await setUp(backend, [scriptedSkill('skill')])
    const times: string[] = []
    for (let run = 0; run < 4; run++) {
      times.push(clock.timestamp)
      const { agent_id } = await manager.spawn({ name: `agent-${run}` })
      await manager.run(agent_id, 'skill')
      await clock.advance(60_000)
    }
    await manager.spawn({ name: 'never started' })
    const [, second, , fourth] = times as [string, string, string, string]
    const agents = async (filter: object) => (await manager.list(filter)).map(({ name }) => name)
    const starts = async (filter: object) => (await manager.executions(filter)).map(({ started_at }) => started_at)
    expect(await agents({ started_after: second })).toEqual(['agent-1', 'agent-2', 'agent-3'])
    expect(await agents({ started_before: second })).toEqual(['agent-0'])
    expect(await agents({ startedAfter: second, startedBefore: fourth })).toEqual(['agent-1', 'agent-2'])
    expect(await starts({ started_after: second, started_before: fourth })).toEqual(times.slice(1, 3))
    expect(await starts({ started_after: '2025-12-19T11:06:00+01:00' })).toEqual(times.slice(1))
    expect(await starts({ started_after: new Date(fourth), status: 'success', limit: 5 })).toEqual([fourth])
    expect(await starts({ started_before: '2025-12-19' })).toEqual([])
    expect(await starts({ started_after: '2025-12-19', started_before: '2025-12-20', limit: 2 })).toEqual(
      times.slice(0, 2),
    )
  })

  it('gives the newest first, and with a limit only those', async () => {
    const { manager, clock } = await setUp(backend, [scriptedSkill('skill')])
    const times: string[] = []
    for (let run = 0; run < 5; run++) {
      times.push(clock.timestamp)
      const { agent_id } = await manager.spawn({ name: `agent-${run}` })
      await manager.run(agent_id, 'skill')
      await clock.advance(60_000)
    }
    const newest = times.toReversed()
    const agents = async (filter: object) => (await manager.list(filter)).map(({ name }) => name)
    const starts = async (filter: object) => (await manager.executions(filter)).map(({ started_at }) => started_at)
    expect(await starts({ newest_first: true })).toEqual(newest)
    expect(await starts({ newestFirst: true, limit: 2 })).toEqual(newest.slice(0, 2))
    expect(await starts({ newest_first: true, started_before: newest[0], limit: 1 })).toEqual([newest[1]])
    expect(await starts({ newest_first: false, limit: 1 })).toEqual([times[0]])
    expect(await agents({ newest_first: true, limit: 2 })).toEqual(['agent-4', 'agent-3'])
    await expect(manager.list({ newest_first: 'yes' as never })).rejects.toMatchObject(coded('VALIDATION_FAILED'))
  })

  it('refuses what is not a time', async () => {
    const { manager } = await setUp(backend)
    for (const time of ['yesterday', '2025-02-30', 5, null, [], new Date(Number.NaN), '']) {
      const refused = coded('VALIDATION_FAILED', { message: expect.stringContaining('started_after') })
      await expect(manager.executions({ started_after: time as string })).rejects.toMatchObject(refused)
      await expect(manager.list({ started_after: time as string })).rejects.toMatchObject(refused)
    }
  })
})
