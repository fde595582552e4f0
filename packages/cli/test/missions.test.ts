import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { artifactExamples } from '@minions/colony-contracts'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const exec = promisify(execFile)

describe('demo', () => {
  it('runs the example mission, sums it up, and prints three commands that work', async () => {
    const minions = new Minions()
    const { code, stdout } = await minions.run(['demo', './mission'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/completed task_review \(reviewer\)/)
    expect(stdout).toMatch(/completed, 9 of 9 tasks[\s\S]*writeback_proposal/)
    expect(stdout).toMatch(/\+ Say how sure you are/)
    expect(stdout).toMatch(/# Workspace waterfront/)
    expect(stdout).toMatch(/executions by \d+ subagents/)
    const commands = /Try next .*\n([\s\S]*?)\n\n──/.exec(stdout)?.[1]?.split('\n') ?? []
    expect(commands).toHaveLength(3)
    for (const command of commands) {
      const outcome = await exec('sh', ['-c', command.trim()], { cwd: minions.home })
      expect(outcome.stdout).not.toBe('')
    }
    expect(stdout).toMatch(/in a browser ─+\n.* studio --storage sqlite:.*\n$/)
    expect(await minions.here(['demo', './mission'])).toMatchObject({ code: 1 })
  })

  it('draws the graph at a terminal', async () => {
    const minions = new Minions()
    const { code, stdout } = await minions.atTerminal(['demo', './mission'], [], { NO_COLOR: '1' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/✔ task_review/)
    expect(stdout).toContain('+ Say how sure you are')
    expect(stdout).not.toContain('\u001b[3')
  })
})

describe('colony and artifacts', () => {
  it('runs a mission from a file, and shows, draws and replays it', async () => {
    const minions = new Minions()
    const ran = await minions.here(['colony', 'run', '--example'])
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +completed\ntasks +9 of 9/) })
    expect(ran.stderr).toMatch(/running +task_prompts[\s\S]*completed task_review/)
    const env = { MINIONS_TENANT: 'tenant_velocity' }
    const id = /^mission +(\S+)/.exec(ran.stdout)?.[1] ?? ''
    const on = (command: string, ...more: string[]) => minions.here(['colony', command, id, ...more], { env })
    expect((await on('status')).stdout).toMatch(/completed, 9 of 9 tasks/)
    expect((await on('show')).stdout).toMatch(/task_worker_01 +worker +completed/)
    expect((await on('graph')).stdout).toMatch(/^flowchart/)
    expect(await on('replay')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^All \d+ artifacts/) })
    expect(await on('resume')).toMatchObject({ code: 0 })
    const artifacts = await minions.json(['artifacts', 'list', '--mission', id], { env })
    expect(artifacts.length).toBeGreaterThan(20)
    const review = artifacts.find(({ schema_name }: { schema_name: string }) => schema_name === 'review_packet')
    const shown = await minions.json(['artifacts', 'show', id, 'review_packet', review.packet_id], { env })
    expect(shown).toEqual(review)
    const other = { MINIONS_TENANT: 'another' }
    expect(await minions.json(['artifacts', 'list', '--mission', id], { env: other })).toEqual([])
    expect(await minions.here(['colony', 'status', id], { env: other })).toMatchObject({ code: 1 })
    const envelope = artifacts[0]
    writeFileSync(minions.path('again.json'), JSON.stringify(envelope))
    const again = await minions.here(['colony', 'run', 'again.json'])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('MISSION_EXISTS') })
    expect(await minions.here(['doctor'])).toMatchObject({ code: 0 })
  })

  it('validates artifacts and says all that is wrong', async () => {
    const minions = new Minions()
    const { mission_envelope, mission_task_graph, worker_result } = artifactExamples
    const check = (value: unknown) => minions.here(['colony', 'validate', '-'], { input: JSON.stringify(value) })
    expect(await check(mission_envelope)).toMatchObject({ code: 0, stdout: 'The artifact is valid.\n' })
    expect(await check([mission_envelope, mission_task_graph])).toMatchObject({ code: 0 })
    const bad = await check({ ...worker_result, confidence: 7, task_id: undefined })
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/\/task_id REQUIRED[\s\S]*\/confidence RANGE/)
    expect(await minions.here(['colony', 'validate', '-'], { input: '{' })).toMatchObject({ code: 1 })
    expect(await minions.here(['colony', 'run'])).toMatchObject({ code: 2 })
  })
})
