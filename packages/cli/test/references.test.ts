import { SessionStore } from '@minions/workspace'
import { describe, expect, it } from 'vitest'
import { pick } from '../src/input/references.js'
import { Minions } from './support/minions.js'

describe('a minion is meant', () => {
  it('by its id, the beginning of its id, its title, and its title as a slug', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['create', 'task', '--title', 'Call Ada, now'])
    for (const reference of [id, id.slice(0, 8), 'Call Ada, now', 'call ada, NOW', 'call-ada-now']) {
      expect(await minions.json(['get', reference])).toMatchObject({ id })
    }
    expect(await minions.json(['update', 'call-ada-now', '--status', 'completed'])).toMatchObject({ id })
  })

  it('wherever an id is asked for', async () => {
    const minions = new Minions()
    const a = await minions.json(['create', 'task', '--title', 'First'])
    const b = await minions.json(['create', 'task', '--title', 'Second'])
    expect(await minions.json(['link', 'First', 'parent_of', 'second'])).toMatchObject({
      sourceId: a.id,
      targetId: b.id,
    })
    expect(await minions.json(['tree', 'First'])).toMatchObject({ children: [{ minion: { id: b.id } }] })
    expect(await minions.json(['unlink', 'First', 'parent_of', 'Second'])).toMatchObject({ sourceId: a.id })
    expect(await minions.json(['delete', 'Second'])).toMatchObject({ id: b.id })
    expect(await minions.json(['restore', 'Second'])).toMatchObject({ id: b.id })
    expect(await minions.json(['purge', 'Second', '--yes'])).toMatchObject({ id: b.id })
  })

  it('as the one that is not deleted, except by restore', async () => {
    const minions = new Minions()
    const old = await minions.json(['create', 'task', '--title', 'Twice'])
    await minions.json(['delete', old.id])
    const kept = await minions.json(['create', 'task', '--title', 'Twice'])
    expect(await minions.json(['get', 'Twice'])).toMatchObject({ id: kept.id })
    expect(await minions.json(['restore', 'Twice'])).toMatchObject({ id: old.id })
  })

  it('or else those that may be meant are listed, or the nearest title is', async () => {
    const minions = new Minions()
    const ids = [await minions.json(['create', 'task', '--title', 'Same'])].map(({ id }) => id)
    ids.push((await minions.json(['create', 'task', '--title', 'Same'])).id)
    const several = await minions.here(['get', 'Same'])
    expect(several).toMatchObject({ code: 1, stdout: '' })
    expect(several.stderr).toMatch(/^minions: AMBIGUOUS_REFERENCE: /)
    for (const id of ids) expect(several.stderr).toContain(id)
    const misspelt = await minions.here(['get', 'Smae'])
    expect(misspelt.stderr).toBe('minions: NOT_FOUND: There is no minion "Smae"; did you mean "Same"?\n')
  })
})

describe('the beginning of an id is enough', { timeout: 120_000 }, () => {
  it('for prompts, their versions and their tests', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['prompts', 'new', '--title', 'Hi', '--content', 'Hi'])
    expect(await minions.json(['prompts', 'show', id.slice(0, 10)])).toMatchObject({ id })
    const version = await minions.json(['prompts', 'version', 'hi', '--content', 'Hi there'])
    const begun = version.id.slice(0, 13)
    expect(await minions.json(['prompts', 'show', 'hi', '--version', begun])).toMatchObject({ id: version.id })
    expect(await minions.json(['prompts', 'publish', 'hi', begun])).toMatchObject({ fields: { content: 'Hi there' } })
    expect(await minions.json(['prompts', 'labels', 'set', 'hi', 'staging', begun])).toMatchObject({
      targets: [{ versionId: version.id }],
    })
    const test = await minions.json(['prompts', 'test', 'hi', '--add', '--title', 'Short', '--contains', 'Hi'])
    await minions.json(['prompts', 'test', 'hi', '--add', '--contains', 'there'])
    for (const reference of [test.id.slice(0, 13), 'Short']) {
      const results = await minions.json(['prompts', 'test', 'hi', '--test', reference])
      expect(results).toMatchObject([{ fields: { passed: true } }])
    }
    const { stderr } = await minions.here(['prompts', 'test', 'hi', '--test', 'Shrt'])
    expect(stderr).toMatch(/NOT_FOUND: There is no test "Shrt"; did you mean "Short"\?/)
  })

  it('for what missions left and what they propose', async () => {
    const minions = new Minions()
    const { mission_id } = await minions.json(['colony', 'run', '--example'])
    const tenant = ['--tenant', 'tenant_velocity']
    expect(await minions.json(['proposals', 'show', 'wb_lead_1', ...tenant])).toMatchObject({
      proposal: { proposal_id: 'wb_lead_123' },
    })
    const decision = ['--by', 'ada', '--reason', 'Agreed.']
    expect(await minions.json(['proposals', 'approve', 'wb_lead_1', ...tenant, ...decision])).toMatchObject({
      proposal_id: 'wb_lead_123',
      status: 'approved',
    })
    const both = await minions.here(['proposals', 'show', 'wb_lead', ...tenant])
    expect(both.stderr).toMatch(/AMBIGUOUS_REFERENCE: .*wb_lead_123, wb_lead_317/)
    const mission = mission_id.slice(0, 8)
    const [result] = await minions.json(['artifacts', 'list', ...tenant, '--kind', 'worker_result'])
    const begun = result.result_id.slice(0, -1)
    const several = await minions.here(['artifacts', 'show', mission, 'worker_result', begun, ...tenant])
    expect(several.stderr).toContain('AMBIGUOUS_REFERENCE')
    const review = ['artifacts', 'show', mission, 'review_packet', 'rev_', ...tenant]
    expect(await minions.json(review)).toMatchObject({ schema_name: 'review_packet' })
    const research = ['artifacts', 'list', '--mission', mission, '--task', 'task_res', ...tenant]
    expect(await minions.json(research)).toContainEqual(expect.objectContaining({ task_id: 'task_research' }))
  })

  it('for relations, keys, rules, sessions, types and what is watched', async () => {
    const minions = new Minions()
    const type = await minions.json(['types', 'create', '--slug', 'book'])
    expect(await minions.json(['types', 'show', type.id.slice(0, 13)])).toMatchObject({ slug: 'book' })
    const a = await minions.json(['create', 'book', '--title', 'First'])
    await minions.json(['create', 'book', '--title', 'Second'])
    const relation = await minions.json(['link', 'First', 'relates_to', 'Second'])
    expect(await minions.json(['unlink', relation.id.slice(0, 13)])).toMatchObject({ id: relation.id })
    const watched = await minions.here(['watch', 'First', '--since', 'start', '--no-follow', '--json'])
    expect(
      watched.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).key),
    ).toEqual([a.id])

    const { id } = (await minions.json(['keys', 'create', '--owner', 'ada', '--name', 'Laptop'])).record
    await minions.json(['keys', 'create', '--owner', 'ada'])
    expect(await minions.json(['keys', 'revoke', id.slice(0, 8), '--yes'])).toMatchObject({ revoked: [{ id }] })

    const lab = await minions.json(['workspace', 'add', '--name', 'lab'])
    const sessions = new SessionStore(minions.path('workspaces', `ws_${lab.id}`))
    await sessions.append('2026-monday', { role: 'user', content: 'Hello' })
    expect(await minions.json(['workspace', 'sessions', 'lab', '2026-m'])).toMatchObject([{ content: 'Hello' }])
    const rule = await minions.json(['workspace', 'add-rule', 'lab', '--name', 'Always'])
    const removed = await minions.json(['workspace', 'remove-rule', 'lab', rule.id.slice(0, 13)])
    expect(removed).toEqual({ removed: rule.id, name: 'Always' })
  })
})

describe('pick', () => {
  const kind = {
    what: 'a subagent',
    list: 'minions agents list',
    named: (one: { id: string; name?: string }) => one,
  }

  it('takes a whole id before a beginning, and a name before a beginning', () => {
    const all = [{ id: 'abcd' }, { id: 'abcdef' }, { id: 'x', name: 'abcde' }]
    expect(pick('abcd', all, kind)).toBe(all[0])
    expect(pick('abcde', all, kind)).toBe(all[2])
    expect(pick('abcdef', all, kind)).toBe(all[1])
  })

  it('takes nothing for a beginning that is too short, and says how to list all', () => {
    expect(() => pick('abc', [{ id: 'abcdef' }], kind)).toThrow(
      'There is no subagent "abc"; list them with: minions agents list',
    )
  })
})
