import { expect, it } from 'vitest'
import { Minions } from './support/minions.js'

it('open serves the Studio at the page of a minion that is named by its title', async () => {
  const minions = new Minions()
  const { id } = await minions.json(['create', 'task', '--title', 'Call Ada'])
  const outcome = await minions.run(['open', 'call-ada', '--no-open'], { interruptAt: /Ctrl-C ends it/ })
  expect(outcome.stdout).toMatch(new RegExp(`http://127\\.0\\.0\\.1:\\d+/studio/objects/${id}#key=[\\w-]+`))
  expect(await minions.run(['open', 'nothing of this name', '--no-open'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('NOT_FOUND'),
  })
})

it('link gives a relation a label, which its picture shows', async () => {
  const minions = new Minions()
  await minions.json(['create', 'task', '--title', 'A'])
  await minions.json(['create', 'task', '--title', 'B'])
  const relation = await minions.json([
    'link',
    'A',
    'relates_to',
    'B',
    '--label',
    'reviewed by',
    '--metadata',
    '{"n":1}',
  ])
  expect(relation).toMatchObject({ type: 'relates_to', metadata: { n: 1, label: 'reviewed by' } })
  const { stdout } = await minions.here(['graph'])
  expect(stdout).toContain('reviewed by')
  expect(stdout).not.toContain('relates')
})
