import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { BIN, Minions } from './support/minions.js'

const TENANT = ['--tenant', 'tenant_velocity']

/** A command in a terminal of its own; `until` resolves to the line that matches. */
function terminal(minions: Minions, args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', MINIONS_HOME: minions.home }
  const child = spawn(process.execPath, [BIN, ...args], { env, cwd: minions.home, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => createInterface({ input: stream }))
  const seen: string[] = []
  const exit = once(child, 'close').then(([code]) => code as number)
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = (line: string) => pattern.test(line) && resolve(line)
      for (const line of seen) look(line)
      for (const lines of [stdout, stderr]) lines?.on('line', look)
      void exit.then(() => reject(new Error(`nothing like ${pattern} in:\n${seen.join('\n')}`)))
    })
  for (const lines of [stdout, stderr]) lines?.on('line', (line) => seen.push(line))
  return { child, until, exit, seen }
}

/** The example mission, waiting. */
async function waitingMission(minions: Minions) {
  const first = terminal(minions, ['colony', 'run', '--example', '--ask'])
  const hint = await first.until(/It is waiting for a decision/)
  const [, id = ''] = /approvals approve (apr_\w+)/.exec(hint) ?? []
  return { first, id }
}

describe('a mission that asks', { timeout: 120_000, concurrent: true }, () => {
  it('waits, is approved from a second terminal, and finishes', async () => {
    const minions = new Minions()
    const { first, id } = await waitingMission(minions)
    expect(await minions.json(['approvals', 'list'])).toMatchObject([{ approval_id: id, status: 'pending' }])
    expect((await minions.here(['approvals', 'show', id.slice(0, 12)])).stdout).toMatch(
      /call +external_search[\s\S]*asked by +oracle_operator/,
    )
    const [mission] = await minions.json(['colony', 'list', ...TENANT])
    expect(mission).toMatchObject({ status: 'running' })
    const ofMission = ['approvals', 'list', '--mission', mission.mission_id.slice(0, 8)]
    expect(await minions.json(ofMission)).toMatchObject([{ approval_id: id }])
    const status = await minions.here(['colony', 'status', mission.mission_id, ...TENANT])
    expect(status.stdout).toContain(`waiting for approval ${id}`)
    const own = await minions.here(['approvals', 'approve', id, '--by', 'oracle_operator'])
    expect(own).toMatchObject({ code: 1, stderr: expect.stringContaining('SELF_APPROVAL') })
    const approved = await minions.here(['approvals', 'approve', id.slice(0, 12), '--by', 'ada', '--reason', 'Go on'])
    expect(approved.stdout).toBe(`Approval ${id} is approved.\n`)
    expect(await first.exit).toBe(0)
    expect(first.seen.join('\n')).toMatch(/status +completed\ntasks +9 of 9/)
    const late = await minions.here(['approvals', 'reject', id, '--by', 'bob'])
    expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/CONFLICT.*"ada"/) })
  })

  it('is watched, killed, decided on and resumed', async () => {
    const minions = new Minions()
    const { first, id } = await waitingMission(minions)
    const watch = terminal(minions, ['approvals', 'watch', '--json'])
    first.child.kill('SIGKILL')
    await first.exit
    const [{ mission_id }] = await minions.json(['colony', 'list', ...TENANT])
    const resumed = terminal(minions, ['colony', 'resume', mission_id, ...TENANT])
    await resumed.until(new RegExp(`approvals approve ${id}`))
    const follower = terminal(minions, ['colony', 'watch', mission_id, ...TENANT])
    await follower.until(/waiting +task_research/)
    const narrower = JSON.stringify({ query: 'marina' })
    const decided = await minions.json(['approvals', 'approve', id, '--by', 'ada', '--arguments', narrower])
    expect(decided).toMatchObject([{ edit: { arguments: { query: 'marina' }, diff: [{ pointer: '/query' }] } }])
    expect(await resumed.exit).toBe(0)
    expect(await follower.exit).toBe(0)
    expect(follower.seen).toContain('The mission is completed.')
    await watch.until(/"status":"used"/)
    watch.child.kill('SIGINT')
    await watch.exit
  })

  it('is paused, also from another terminal, and resumed', async () => {
    const minions = new Minions()
    const { first, id } = await waitingMission(minions)
    const [{ mission_id }] = await minions.json(['colony', 'list', ...TENANT])
    const paused = await minions.here(['colony', 'pause', mission_id, ...TENANT])
    expect(paused.stdout).toContain('with 2 of 9 tasks done')
    expect(await first.exit).toBe(1)
    expect(first.seen.join('\n')).toMatch(/status +paused/)
    await minions.here(['approvals', 'approve', id, '--by', 'ada'])
    expect(await minions.json(['colony', 'resume', mission_id, ...TENANT])).toMatchObject({ status: 'completed' })
  })
})

describe('a policy', () => {
  const rules = [
    {
      name: 'mail',
      action: 'ask',
      call: 'send_*',
      arguments: { '/to': { pattern: '@example' } },
      reason: 'It leaves.',
    },
    { name: 'never', action: 'deny', kind: 'skill', call: 'drop' },
  ]
  const tests = [{ title: 'dropping is denied', call: { kind: 'skill', name: 'drop' }, expect: 'deny' }]

  it('is published, shown, tested and explained', async () => {
    const minions = new Minions()
    writeFileSync(minions.path('policy.json'), JSON.stringify({ rules, tests }))
    expect((await minions.here(['policy', 'publish', 'policy.json', '--by', 'ada'])).stdout).toBe(
      'Published version 1 with 2 rules.\n',
    )
    expect((await minions.here(['policy', 'show'])).stdout).toMatch(/version +1[\s\S]*mail +ask/)
    const mail = ['policy', 'explain', 'send_mail', '--arguments', '{"to":"eve@example.com"}']
    expect((await minions.here(mail)).stdout).toMatch(/action +ask\nrule +mail\nreason +It leaves\./)
    const drop = await minions.here(['policy', 'explain', 'skill:drop'])
    expect(drop).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/mail +no +its name is another[\s\S]*never +yes/),
    })
    expect(await minions.json(['policy', 'explain', '{"kind":"tool","name":"read"}'])).toMatchObject({
      action: 'allow',
    })
    writeFileSync(minions.path('policy.json'), JSON.stringify([{ name: 'all', action: 'allow' }]))
    const refused = await minions.here(['policy', 'publish', 'policy.json'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('POLICY_TEST_FAILED') })
    expect((await minions.here(['policy', 'test'])).stdout).toBe('All tests pass.\n')
  })
})
