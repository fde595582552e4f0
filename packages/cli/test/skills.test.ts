import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const MODULE = `
export const navigate = {
  name: 'navigate', version: '1.0.0', description: 'Goes somewhere',
  parameters_schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  execute: ({ location }) => ({ status: 'at ' + location }),
}
export const detect = {
  name: 'detect', version: '1.0.0', dependencies: ['navigate'],
  parameters_schema: { type: 'object' },
  execute: () => { throw new Error('nothing there') },
}
`

describe('skills and agents', () => {
  it('loads, shows, runs and reports', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('skills'))
    writeFileSync(minions.path('skills', 'robot.mjs'), MODULE)
    const loaded = await minions.json(['skills', 'load', './skills'])
    expect(loaded.skills).toHaveLength(2)
    expect((await minions.here(['skills', 'list'])).stdout).toMatch(/navigate +1\.0\.0 +Goes somewhere/)
    expect(await minions.json(['skills', 'show', 'detect'])).toMatchObject({ dependencies: ['navigate'] })
    expect((await minions.here(['skills', 'deps', 'detect'])).stdout).toBe('navigate\ndetect\n')
    const run = (name: string, params: string) =>
      minions.run(['skills', 'run', name, '--from', './skills', '--params', params, '--json'])
    const good = await run('navigate', '{"location":"kitchen"}')
    const { agent_id, result } = JSON.parse(good.stdout)
    expect(result).toEqual({ status: 'at kitchen' })
    expect(await run('navigate', '{}')).toMatchObject({ code: 1, stderr: expect.stringContaining('VALIDATION_FAILED') })
    expect(await run('detect', '{}')).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing there') })
    const unbound = await minions.here(['skills', 'run', 'navigate', '--params', '{"location":"x"}'])
    expect(unbound).toMatchObject({ code: 1, stderr: expect.stringContaining('SKILL_NOT_BOUND') })
    expect(unbound.stderr).toContain('--from <folder>')
    expect(await minions.json(['agents', 'list', '--state', 'idle', 'running'])).toEqual([])
    const agents = await minions.json(['agents', 'list', '--state', 'completed'])
    expect(agents).toMatchObject([{ agent_id, state: 'completed' }])
    expect(await minions.json(['agents', 'show', agent_id])).toMatchObject({ executions: [{ status: 'success' }] })
    expect(await minions.here(['agents', 'cancel', agent_id, '--yes'])).toMatchObject({ code: 1 })
    expect(await minions.here(['agents', 'show', 'nobody'])).toMatchObject({ code: 1 })
  })

  it('says what in a folder is no skill', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('bad'))
    writeFileSync(minions.path('bad', 'broken.json'), '{')
    const outcome = await minions.here(['skills', 'load', './bad'])
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toMatch(/SYNTAX[\s\S]*minions: NOT_FOUND/)
  })
})
