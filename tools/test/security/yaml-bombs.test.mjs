// @ts-check
// YAML that grows, nests or repeats without end is refused, and hides nothing that stands beside it.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { loadSkills } from '@minions/skills-runtime'
import { fsStorage } from '@minions/storage-fs'
import { initWorkspace, listSkills } from '@minions/workspace'
import { expect, it } from 'vitest'
import { temporaryFolder } from './backends.mjs'

/** Nine levels of ten aliases: a thousand million values from less than a kilobyte. */
const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
for (const [index, name] of [...'bcdefghij'].entries()) {
  laughs.push(`${name}: &${name} [${new Array(10).fill(`*${'abcdefghi'[index]}`).join(', ')}]`)
}

const bombs = {
  laughs: laughs.join('\n'),
  brackets: `x: ${'['.repeat(100_000)}`,
  braces: '{a: '.repeat(50_000),
  dashes: '- '.repeat(50_000),
  circle: 'a: &a [*a]',
  questions: '? '.repeat(50_000),
  tag: 'a: !!js/function "function () { return process }"',
}

it('in a folder of skills', async () => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(bombs)) {
    writeFileSync(join(folder, `${name}.yaml`), text)
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'SKILL.md'), `---\n${text}\n---\nbody`)
  }
  writeFileSync(join(folder, 'good.yaml'), 'name: good\nversion: 1.0.0\ndescription: fine\nparameters_schema: {}\n')
  const { skills, problems } = await loadSkills(folder)
  expect(skills.map(({ name }) => name)).toEqual(['good'])
  expect(problems.length).toBeGreaterThanOrEqual(2 * Object.keys(bombs).length)
})

it('in the front matter of a workspace', async () => {
  const root = temporaryFolder()
  await initWorkspace(root)
  for (const [name, text] of Object.entries({ ...bombs, good: 'description: fine' })) {
    mkdirSync(join(root, 'skills', name), { recursive: true })
    writeFileSync(join(root, 'skills', name, 'SKILL.md'), `---\n${text}\n---\nbody`)
  }
  const described = (await listSkills(root)).filter(
    ({ name, description }) => name in { ...bombs, good: '' } && description !== undefined,
  )
  expect(described.map(({ name }) => name)).toEqual(['good'])
})

it('in the folder of a store', async () => {
  const root = join(temporaryFolder(), 'store')
  const open = () => Minions.open({ storage: fsStorage({ root, format: 'yaml' }) })
  const first = await open()
  const kept = await first.create('note', { title: 'kept', fields: { content: 'c' } })
  await first.close()
  const folder = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`${kept.id}.yaml`),
  )
  if (folder === undefined) throw new Error('the record has no file of its own')
  for (const [name, text] of Object.entries(bombs)) writeFileSync(join(root, folder, '..', `${name}.yaml`), text)
  const again = await open()
  expect(await again.get(kept.id)).toEqual(kept)
  expect(await again.count()).toBe(1)
  expect((await again.problems()).length).toBe(Object.keys(bombs).length)
  await again.close()
})
