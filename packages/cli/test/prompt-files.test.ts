import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Minions } from './support/minions.js'

it('keeps prompts as files that people edit', { timeout: 60_000 }, async () => {
  const minions = new Minions()
  await minions.json(['prompts', 'new', '--title', 'Bot', '--name', 'crm/bot', '--content', 'Be kind.'])
  expect(await minions.here(['prompts', 'pull', 'folder'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('created crm/bot.md'),
  })
  const file = minions.path('folder', 'crm', 'bot.md')
  writeFileSync(file, readFileSync(file, 'utf8').replace('kind', 'brief'))
  const shown = await minions.here(['prompts', 'push', 'folder', '--dry-run'])
  expect(shown.stdout).toMatch(/changed crm\/bot\.md[\s\S]*- Be kind\.\n\+ Be brief\./)
  expect(await minions.json(['prompts', 'push', 'folder', '--by', 'ada'])).toMatchObject([
    { change: 'changed', version: 1 },
  ])
  expect((await minions.here(['prompts', 'push', 'folder'])).stdout).toBe('There is nothing to push.\n')
  await minions.json(['prompts', 'version', 'crm/bot', '--content', 'Be long.'])
  writeFileSync(file, readFileSync(file, 'utf8').replace('brief', 'short'))
  const refused = await minions.here(['prompts', 'push', 'folder'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /<<<<<<< crm\/bot\.md[\s\S]*Be short\.[\s\S]*=======[\s\S]*Be long\.[\s\S]*FILES_CONFLICT/,
  )
  expect(readFileSync(file, 'utf8')).toContain('Be short.')
})
