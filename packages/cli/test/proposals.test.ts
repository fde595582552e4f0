import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const TENANT = ['--tenant', 'tenant_velocity']

describe('proposals', { timeout: 120_000 }, () => {
  it('are decided on and applied once', async () => {
    const minions = new Minions()
    await minions.json(['colony', 'run', '--example'])
    const list = (...more: string[]) => minions.json(['proposals', 'list', ...TENANT, ...more])
    const rows = await list()
    expect(rows).toMatchObject([
      { status: 'open', proposal: { target_entity_id: 'lead_123' }, application: null },
      { status: 'open', proposal: { target_entity_id: 'lead_317' }, application: null },
    ])
    const [first, second] = rows.map(({ proposal }: { proposal: { proposal_id: string } }) => proposal.proposal_id)
    expect((await minions.here(['proposals', 'list', ...TENANT])).stdout).toMatch(/open +\S+ +lead lead_123/)
    const on = (command: string, id: string, ...more: string[]) =>
      minions.here(['proposals', command, id, ...TENANT, ...more])

    writeFileSync(
      minions.path('crm.mjs'),
      `import { appendFileSync } from 'node:fs'
      export default ({ target_entity_id }, { idempotencyKey, attempt }) => {
        if (process.env.BROKEN) throw new Error('the CRM is down')
        appendFileSync('changed', target_entity_id)
        return { idempotencyKey, attempt }
      }`,
    )
    const handler = ['--handler', './crm.mjs']
    expect(await on('apply', first, ...handler)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('POLICY_DENIED'),
    })
    expect(await on('approve', first)).toMatchObject({ code: 2, stderr: expect.stringContaining('--by') })
    const decision = ['--by', 'ada', '--reason', 'Agreed.']
    expect(await on('approve', first, ...decision)).toMatchObject({
      code: 0,
      stdout: `Proposal ${first} is approved.\n`,
    })
    expect(await on('reject', first, ...decision)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CONFLICT'),
    })
    expect(await on('reject', second, ...decision)).toMatchObject({ code: 0 })
    expect(await list('--status', 'open')).toEqual([])
    expect(await list('--status', 'rejected')).toMatchObject([{ proposal: { proposal_id: second } }])

    const apply = ['proposals', 'apply', first, ...TENANT, ...handler]
    expect(await minions.here(apply, { env: { BROKEN: '1' } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/WRITEBACK_FAILED.*the CRM is down/),
    })
    const applied = await minions.here([...apply, '--json'])
    expect(JSON.parse(applied.stdout)).toMatchObject({ status: 'applied', attempts: 2, result: { attempt: 2 } })
    expect(await minions.here(apply)).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFLICT') })
    expect(readFileSync(minions.path('changed'), 'utf8')).toBe('lead_123')
    expect(await minions.json(['proposals', 'show', first, ...TENANT])).toMatchObject({
      status: 'applied',
      proposal: { proposal_id: first },
      decisions: [{ decision: 'allow', producer: 'ada', reason: 'Agreed.' }],
      application: { status: 'applied' },
    })
    expect((await on('show', second)).stdout).toMatch(/^status +rejected[\s\S]*deny +ada +Agreed\./)
  })

  it('of several missions with one id are told apart, and those of other tenants are not there', async () => {
    const minions = new Minions()
    const { mission_id } = await minions.json(['colony', 'run', '--example'])
    await minions.json(['colony', 'run', '--example'])
    const rows = await minions.json(['proposals', 'list', ...TENANT, '--limit', '3'])
    expect(rows).toHaveLength(3)
    const id = rows[0].proposal.proposal_id
    const show = (...more: string[]) => minions.here(['proposals', 'show', id, ...more])
    expect(await show(...TENANT)).toMatchObject({ code: 1, stderr: expect.stringContaining('AMBIGUOUS_ID') })
    expect(await show(...TENANT, '--mission', mission_id)).toMatchObject({ code: 0 })
    expect(await show('--tenant', 'another')).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_FOUND') })
    expect(await show()).toMatchObject({ code: 2 })
  })
})
