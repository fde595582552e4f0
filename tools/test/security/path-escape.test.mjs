// @ts-check
// No id or path leaves the folder it belongs to: files of a store, data and skills of a workspace.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineCollection, Store } from '@minions/core/storage'
import { loadSkills } from '@minions/skills-runtime'
import { fsStorage } from '@minions/storage-fs'
import { dataFiles, initWorkspace, listSkills, readSkill, Workspace } from '@minions/workspace'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { temporaryFolder } from './backends.mjs'

const escapes = [
  '../outside',
  '../../outside',
  '..',
  '.',
  '/etc/minions-outside',
  'a/../../outside',
  './../outside',
  '..\\outside',
  'C:\\outside',
  '\\\\server\\share',
  '%2e%2e%2foutside',
  'file:///outside',
  '~/outside',
  '.git/config',
  'a/b/c',
]

/** A folder to escape from, beside a file that nobody may touch. @param {string} inner */
function fence(inner) {
  const around = temporaryFolder()
  writeFileSync(join(around, 'outside'), 'untouched')
  mkdirSync(join(around, inner))
  return {
    root: join(around, inner),
    expectUntouched() {
      expect(readdirSync(around).sort()).toEqual([inner, 'outside'].sort())
      expect(readFileSync(join(around, 'outside'), 'utf8')).toBe('untouched')
    },
  }
}

const records = defineCollection({
  name: 'records',
  version: 1,
  schema: Type.Object({ id: Type.String(), value: Type.Number() }),
  key: ['id'],
})

it.each(/** @type {const} */ (['json', 'yaml']))(
  'files of a store, %s: every key is a file inside the store',
  async (format) => {
    const { root, expectUntouched } = fence('store')
    const store = await Store.open(fsStorage({ root, format }), [records])
    for (const [value, id] of escapes.entries()) {
      await store.put(records, { id, value })
      expect(await store.get(records, id)).toEqual({ id, value })
    }
    expectUntouched()
    for (const id of escapes) expect(await store.delete(records, id)).toBe(true)
    await store.close()
    expectUntouched()
  },
)

it('data of a workspace: paths outside are refused, reading and writing', async () => {
  const { root, expectUntouched } = fence('workspace')
  await initWorkspace(root)
  const files = dataFiles(new Workspace({ name: 'w', root_path: root }))
  for (const path of escapes.filter((path) => /^\.\.?(?:$|\/)|^\/|\/\.\.\//.test(path))) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    await expect(files.write(path, 'x'), path).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    await expect(files.delete(path), path).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  }
  expectUntouched()
})

it('skills: neither names nor links lead out', async () => {
  const { root, expectUntouched } = fence('workspace')
  await initWorkspace(root)
  const skills = join(root, 'skills')
  const elsewhere = temporaryFolder()
  writeFileSync(join(elsewhere, 'SKILL.md'), '---\nname: stolen\nversion: 1.0.0\ndescription: secret\n---\nsecret')
  symlinkSync(elsewhere, join(skills, 'link'))
  for (const name of ['../..', '..', '.', '/etc', 'a/b', 'link']) {
    await expect(readSkill(root, name), name).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  }
  expect(JSON.stringify(await listSkills(root))).not.toContain('secret')
  const { skills: loaded, problems } = await loadSkills(skills)
  expect(loaded.map(({ name }) => name)).not.toContain('stolen')
  expect(problems.map(({ code }) => code)).toContain('OUTSIDE')
  expectUntouched()
})
