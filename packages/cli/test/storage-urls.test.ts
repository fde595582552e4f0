import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

/** A backend of a stranger, which keeps its shelves in files. */
const SHELF = `
import { sqliteStorage } from '@minions/storage-sqlite'
import { takeStorageUrl } from '@minions/core/storage'
export const storageFromUrl = (url) => {
  const { options } = takeStorageUrl(url, ['SCHEME'], ['room'])
  return sqliteStorage({ path: \`\${new URL('.', import.meta.url).pathname}/\${options.room ?? 'hall'}.db\` })
}
`

const PLUGIN = `
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { storageSchemes } from '@minions/core/storage'
import { storageFromUrl } from 'minions-storage-shelf'
const create = (url) => storageFromUrl(url.replace('bench:', 'shelf:'))
export default () => definePlugin({
  ref: pluginRef()('bench', 'bench'),
  version: '1.0.0',
  contributes: [[storageSchemes, [{ scheme: 'bench', create }]]],
  setup: () => ({}),
})
`

describe('a backend outside the repository', () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'minions-urls-')))
  const minions = new Minions()
  const run = (...args: string[]) => minions.json(args, { cwd: project })

  beforeAll(() => {
    const packages = fileURLToPath(new URL('../../../node_modules/@minions', import.meta.url))
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(packages, join(project, 'node_modules/@minions'))
    const shelf = join(project, 'node_modules/minions-storage-shelf')
    mkdirSync(shelf)
    writeFileSync(
      join(shelf, 'package.json'),
      JSON.stringify({ name: 'minions-storage-shelf', type: 'module', exports: './index.js' }),
    )
    writeFileSync(join(shelf, 'index.js'), SHELF.replace('SCHEME', 'shelf'))
    writeFileSync(join(project, 'bench.mjs'), PLUGIN)
  })
  afterAll(() => rmSync(project, { recursive: true }))

  it('is used through its URL alone, in --storage', async () => {
    const create = ['create', 'note', '--title', 'On a shelf', '--content', 'x', '--storage', 'shelf://house', '--json']
    const created = await minions.run(create, { cwd: project })
    expect(created.code, created.stderr).toBe(0)
    expect(await run('list', '--storage', 'shelf://house')).toEqual([JSON.parse(created.stdout)])
    expect(await run('list', '--storage', 'shelf://house?room=cellar', '--all')).toEqual([])
  })

  it('in copy, from and to', async () => {
    const there = await run('copy', '--from', 'shelf://house', '--to', 'shelf://house?room=attic')
    const back = await run('copy', '--from', 'shelf://house?room=attic', '--to', `sqlite:${join(project, 'copy.db')}`)
    expect(back.records).toBe(there.records)
    expect(await run('list', '--storage', `sqlite:${join(project, 'copy.db')}`)).toMatchObject([
      { title: 'On a shelf' },
    ])
  })

  it('in a JSON configuration, and in init', async () => {
    const folder = join(project, 'configured')
    expect(await run('init', folder, '--storage', 'shelf://house')).toMatchObject({ storage: 'shelf://house' })
    expect(await minions.json(['list'], { cwd: folder })).toMatchObject([{ title: 'On a shelf' }])
  })

  it('also when a plugin brings its scheme', async () => {
    const url = ['--plugin', './bench.mjs', '--storage', 'bench://house']
    expect(await run('list', ...url)).toMatchObject([{ title: 'On a shelf' }])
    const copied = await run('copy', '--plugin', './bench.mjs', '--from', 'bench://house', '--to', 'memory:')
    expect(copied.records).toBeGreaterThan(0)
  })

  it('is asked for by the names that it may have when it is not there', async () => {
    const { code, stderr } = await minions.here(['list', '--storage', 'mariadb://u:secret@host/db'], { cwd: project })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^minions: UNKNOWN_SCHEME: .*Install @minions\/storage-mariadb or minions-storage-mariadb/)
    expect(stderr).not.toContain('secret')
  })
})
