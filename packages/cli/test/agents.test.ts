import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { Minions } from './support/minions.js'

/** A home folder with a skill that stores a checkpoint every few milliseconds until there is a file `enough`. */
function withPatrol(): Minions {
  const minions = new Minions()
  mkdirSync(minions.path('skills'))
  writeFileSync(
    minions.path('skills', 'patrol.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs'
    export const patrol = {
      name: 'patrol', version: '1.0.0', parameters_schema: { type: 'object' },
      async execute(_, context) {
        const { state } = context
        let rounds = state?.rounds ?? 0
        for (; !existsSync('enough'); rounds++) {
          await context.checkpoint({ rounds })
          writeFileSync('begun', '')
          process.stderr.write('round ')
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        return { rounds, isResumed: state !== undefined }
      },
    }`,
  )
  return minions
}

const RUN = ['skills', 'run', 'patrol', '--from', './skills', '--json']

async function idOf(minions: Minions): Promise<string> {
  const [agent] = await minions.json(['agents', 'list', '--state', 'running'])
  return agent.agent_id
}

describe('agents pause and resume', { timeout: 60_000 }, () => {
  it('reach a subagent in another process', async () => {
    const minions = withPatrol()
    const running = minions.run(RUN)
    await vi.waitFor(() => expect(existsSync(minions.path('begun'))).toBe(true), 20_000)
    const id = await idOf(minions)
    const asked = await minions.here(['agents', 'pause', id])
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('next checkpoint') })
    const stateOf = async () => (await minions.json(['agents', 'show', id])).state
    await vi.waitFor(async () => expect(await stateOf()).toBe('paused'), 10_000)
    const again = await minions.here(['agents', 'pause', id])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
    expect(await minions.json(['agents', 'resume', id])).toMatchObject({ agent_id: id, state: 'running' })
    writeFileSync(minions.path('enough'), '')
    const ran = await running
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ agent_id: id, result: { isResumed: false } })
    const late = await minions.here(['agents', 'resume', id])
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
    expect(await minions.here(['agents', 'pause', 'nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_FOUND'),
    })
  })

  it('takes on what a process left that was killed, with the code of its skill', async () => {
    const minions = withPatrol()
    await minions.run(RUN, { interruptAt: /round round/, signal: 'SIGKILL' })
    const id = await idOf(minions)
    const unbound = await minions.here(['agents', 'resume', id])
    expect(unbound).toMatchObject({ code: 1, stderr: expect.stringMatching(/SKILL_NOT_BOUND.*--from <folder>/) })
    writeFileSync(minions.path('enough'), '')
    const resumed = await minions.here(['agents', 'resume', id, '--from', './skills', '--json'])
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'completed', results: { patrol: { isResumed: true } } })
  })
})
