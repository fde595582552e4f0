import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Minions } from './support/minions.js'

it("runs a team's day: branches, cases from CSV, a gate, a split, promotion with approval, rollback", {
  timeout: 180_000,
}, async () => {
  const minions = new Minions()
  const prompts = (...args: string[]) => minions.json(['prompts', ...args])
  const refused = (args: string[]) => minions.here(['prompts', ...args])
  const render = async (...args: string[]) =>
    (await minions.here(['prompts', 'render', 'support-bot', '--var', 'name=Ada', ...args])).stdout

  // Ada writes the prompt; production is protected.
  await prompts(
    'new',
    '--title',
    'Support',
    '--name',
    'support-bot',
    '--content',
    'Dear {{name}}, how can we help?',
    '--by',
    'ada',
  )
  await prompts('labels', 'protect', 'production', '--by', 'chief')

  // Two branches: Ada and Bo both go on from the same state.
  const { id: root } = await prompts('show', 'support-bot')
  const ada = await prompts(
    'version',
    root,
    '--content',
    'Hi, how can we help?',
    '--changelog',
    'Shorter',
    '--by',
    'ada',
  )
  const history = await prompts('history', 'support-bot')
  expect(history).toHaveLength(2)
  const bo = await minions.json([
    'operations',
    'run',
    'prompts.addVersion',
    '--input',
    JSON.stringify({ prompt: ada.id, content: 'Hello {{name}}! How can we help?', changelog: 'Warmer' }),
    '--by',
    'bo',
  ])
  const other = await minions.json([
    'operations',
    'run',
    'prompts.addVersion',
    '--input',
    JSON.stringify({ prompt: ada.id, content: 'Hey {{name}}! What is up?', changelog: 'Casual' }),
    '--by',
    'ada',
  ])
  const branches = await minions.json(['operations', 'run', 'prompts.branches', '--input', '{"prompt":"support-bot"}'])
  expect(branches.map(({ id }: { id: string }) => id).sort()).toEqual([bo.id, other.id].sort())

  // Cases come from a CSV file.
  writeFileSync(
    minions.path('cases.csv'),
    'name,test.title,test.contains,test.golden\nAda,By name,Ada,true\nBo,Asks,help,\n',
  )
  expect(await prompts('import-tests', 'support-bot', 'cases.csv')).toEqual({ added: 2 })

  // The gate is red for the version that forgot the name, then green for Bo's.
  const red = await refused([
    'gate',
    'support-bot',
    '--baseline',
    'production',
    '--candidate',
    ada.id,
    '--html',
    'red.html',
  ])
  expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining('Golden test "By name" fails') })
  expect(readFileSync(minions.path('red.html'), 'utf8')).toContain('Hi, how can we help?')
  const green = await refused(['gate', 'support-bot', '--baseline', 'production', '--candidate', bo.id])
  expect(green.code).toBe(0)

  // One half of the users gets Bo's version; what came of it is compared.
  await prompts('labels', 'set', 'support-bot', 'canary', '0', '--by', 'ada')
  await prompts('labels', 'split', 'support-bot', 'canary', '0=50', `${bo.id}=50`, '--by', 'ada')
  const given = new Map<string, number>()
  for (let user = 0; user < 24; user++) {
    const key = `user-${user}`
    const text = await render('--label', 'canary', '--key', key)
    given.set(text, (given.get(text) ?? 0) + 1)
    const score = (text.startsWith('Hello') ? 90 : 50) + (user % 5)
    await minions.json([
      'operations',
      'run',
      'prompts.recordOutcome',
      '--input',
      JSON.stringify({ prompt: 'support-bot', label: 'canary', key, scores: { helpful: score }, passed: true }),
    ])
  }
  expect([...given.keys()].sort()).toEqual(['Dear Ada, how can we help?\n', 'Hello Ada! How can we help?\n'])
  const compared = await prompts('labels', 'compare', 'support-bot', 'canary')
  expect(compared.versions[0].comparison.verdict).toBe('b')
  await prompts('labels', 'stop', 'support-bot', 'canary', '--by', 'ada')
  expect(await render('--label', 'canary', '--key', 'user-1')).toBe('Dear Ada, how can we help?\n')

  // Promotion needs someone else than the author, and the access to approve.
  const promote = ['labels', 'set', 'support-bot', 'production', bo.id]
  expect(await refused([...promote, '--by', 'bo'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('LABEL_PROTECTED'),
  })
  const input = JSON.stringify({ prompt: 'support-bot', label: 'production', version: bo.id })
  const asWriter = await minions.here([
    'operations',
    'run',
    'prompts.promote',
    '--input',
    input,
    '--by',
    'ada',
    '--access',
    'write',
  ])
  expect(asWriter).toMatchObject({ code: 1, stderr: expect.stringContaining('FORBIDDEN') })
  await minions.json(['operations', 'run', 'prompts.promote', '--input', input, '--by', 'ada', '--access', 'approve'])
  expect(await render()).toBe('Hello Ada! How can we help?\n')

  // Back to what was there before.
  await prompts('rollback', 'support-bot', '0', '--by', 'ada')
  expect(await render()).toBe('Dear Ada, how can we help?\n')
  const moves = await prompts('labels', 'history', 'support-bot', 'production')
  expect(moves.map(({ by }: { by: string }) => by).slice(-2)).toEqual(['ada', 'ada'])
})
