import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { Minions } from './support/minions.js'

const exec = promisify(execFile)
const COLONY = pathToFileURL(createRequire(import.meta.url).resolve('@minions/colony')).href
const TENANT = ['--tenant', 'tenant_velocity']

/** A home folder with roles whose workers wait until they are aborted, and say in a file that they do; not when FAST is set. */
function withSlowRoles(): Minions {
  const minions = new Minions()
  writeFileSync(
    minions.path('roles.mjs'),
    `import { writeFileSync } from 'node:fs'
    import { deterministicRoles } from '${COLONY}'
    const roles = deterministicRoles()
    const worker = async (input, context) => {
      if (!process.env.FAST) {
        writeFileSync('begun', '')
        await new Promise((_, reject) => {
          const timer = setTimeout(() => {}, 60000)
          context.signal.addEventListener('abort', () => { clearTimeout(timer); reject(context.signal.reason) })
        })
      }
      return roles.worker(input, context)
    }
    export default { ...roles, worker }`,
  )
  return minions
}

const RUN = ['colony', 'run', '--example', '--roles', './roles.mjs']

/** The only mission of a home folder. */
async function missionOf(minions: Minions): Promise<string> {
  const [envelope] = await minions.json(['artifacts', 'list', '--kind', 'mission_envelope', ...TENANT])
  return envelope.mission_id
}

describe('Ctrl-C', () => {
  it('interrupts a mission, and says how to take it on', { timeout: 60_000 }, async () => {
    const minions = withSlowRoles()
    const outcome = await minions.run(RUN, { interruptAt: /running +task_worker_04/ })
    expect(outcome.code).toBe(130)
    expect(outcome.stderr).not.toContain('cancelled')
    const id = await missionOf(minions)
    const [, command = ''] = /interrupted; the mission can be resumed with: (.*)$/m.exec(outcome.stderr) ?? []
    expect(command).toContain(`colony resume ${id} --tenant tenant_velocity --roles ./roles.mjs`)
    const status = await minions.here(['colony', 'status', id, ...TENANT])
    expect(status.stdout).toMatch(/: interrupted, 3 of 9 tasks[\s\S]*task_worker_01 +worker pending/)
    expect(status.stderr).toContain(`colony resume ${id}`)
    expect(await minions.json(['colony', 'status', id, ...TENANT])).toMatchObject({ status: 'running', active: false })
    const env = { ...process.env, MINIONS_HOME: minions.home, FAST: '1' }
    const resumed = await exec('sh', ['-c', command], { cwd: minions.home, env })
    expect(resumed.stdout).toMatch(/status +completed\ntasks +9 of 9/)
  })
})

describe('colony cancel', () => {
  it('ends a mission that another process runs', { timeout: 60_000 }, async () => {
    const minions = withSlowRoles()
    const running = minions.run(RUN)
    await vi.waitFor(() => expect(existsSync(minions.path('begun'))).toBe(true), 20_000)
    const id = await missionOf(minions)
    const cancelled = await minions.json(['colony', 'cancel', id, ...TENANT])
    expect(cancelled).toMatchObject({ status: 'cancelled', completed: 3, active: false })
    const ran = await running
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/status +cancelled/) })
    // Once more changes nothing.
    expect(await minions.here(['colony', 'cancel', id, ...TENANT])).toMatchObject({
      code: 0,
      stdout: `Cancelled mission ${id} with 3 of 9 tasks done.\n`,
    })
    const env = { FAST: '1' }
    expect(await minions.here(['colony', 'resume', id, '--roles', './roles.mjs', ...TENANT], { env })).toMatchObject({
      code: 0,
    })
    const late = await minions.here(['colony', 'cancel', id, ...TENANT])
    expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/CONFLICT.*ended as completed/) })
    expect(await minions.here(['colony', 'cancel', 'nothing', ...TENANT])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_FOUND'),
    })
  })

  it('ends a mission that runs nowhere', { timeout: 60_000 }, async () => {
    const minions = withSlowRoles()
    await minions.run(RUN, { interruptAt: /running +task_worker_04/ })
    const id = await missionOf(minions)
    expect(await minions.here(['colony', 'cancel', id, ...TENANT])).toMatchObject({ code: 0 })
    expect(await minions.json(['colony', 'status', id, ...TENANT])).toMatchObject({ status: 'cancelled' })
    expect(await minions.json(['agents', 'list', '--state', 'idle', 'running', 'paused'])).toEqual([])
  })
})
