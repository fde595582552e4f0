import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const MODULE = `
export const navigate = {
  name: 'navigate', version: '1.0.0', description: 'Goes somewhere',
  parameters_schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  execute: ({ location }, context) => {
    const { log } = context
    log.info('on the way', { location })
    log.debug('step \\u001b[31m1')
    context.progress(0.5, 'half way')
    return { status: 'at ' + location }
  },
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
      minions.here(['skills', 'run', name, '--from', './skills', '--params', params, '--json'])
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

  it('lists executions and subagents by time, and shows what an execution logged', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('skills'))
    writeFileSync(minions.path('skills', 'robot.mjs'), MODULE)
    const { agent_id } = await minions.json(
      ['skills', 'run', 'navigate', '--from', './skills', '--params', '{"location":"hall"}'],
      { cwd: minions.home },
    )
    const window = ['--started-after', '2020-01-01', '--started-before', '2999-01-01']
    expect(await minions.json(['agents', 'list', ...window])).toMatchObject([{ agent_id }])
    expect(await minions.json(['agents', 'list', '--started-before', '2020-01-01'])).toEqual([])
    const [execution] = await minions.json([
      'executions',
      'list',
      '--agent',
      agent_id,
      '--status',
      'success',
      ...window,
    ])
    expect(execution).toMatchObject({ skill_name: 'navigate', agent_id })
    expect(await minions.json(['executions', 'list', '--skill', 'detect'])).toEqual([])
    expect(await minions.json(['executions', 'list', '--started-after', '2999-01-01'])).toEqual([])
    const refused = await minions.here(['executions', 'list', '--started-after', 'yesterday'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('started_after') })
    const { execution_id } = execution
    const shown = await minions.here(['executions', 'show', execution_id])
    expect(shown.stdout).toMatch(/skill_name +navigate[\s\S]*progress +50 % half way/)
    expect(shown.stdout).not.toContain('on the way')
    const { stdout } = await minions.here(['executions', 'show', execution_id, '--logs'])
    expect(stdout).toMatch(/Z +1 +info +on the way +\{"location":"hall"\}\n.+debug +step/)
    expect(stdout).not.toContain('\u001b')
    const errors = await minions.json(['executions', 'show', execution_id, '--logs', '--level', 'error'])
    expect(errors).toMatchObject({ execution_id, progress: { fraction: 0.5 }, log: { lines: [], dropped: 0 } })
    expect(await minions.here(['executions', 'show', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_FOUND'),
    })
  })

  it('says on standard error what happens, with --verbose', async () => {
    const minions = new Minions()
    mkdirSync(minions.path('skills'))
    writeFileSync(minions.path('skills', 'robot.mjs'), MODULE)
    const line = ['skills', 'run', 'navigate', '--from', './skills', '--params', '{"location":"hall"}', '--json']
    const quiet = await minions.here(line, { cwd: minions.home })
    expect(quiet.stderr).toBe('')
    const loud = await minions.here([...line, '--verbose'], { cwd: minions.home })
    expect(loud.stderr).toMatch(/^info +subagent changed state .*to=completed/m)
    expect(loud.stderr).toMatch(/^info +on the way .*location=hall/m)
    expect(loud.stderr).not.toContain('\u001b')
    expect(JSON.parse(loud.stdout)).toMatchObject({ result: { status: 'at hall' } })
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
