import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Minions } from '@minions/core'
import { afterAll, describe, expect, it } from 'vitest'
import { sqliteStorage } from '../src/index.js'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'minions-driver-')))
const here = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** An application with this package as it is published, and with the driver as far as `driver` made it. */
function application(name: string, driver: (folder: string) => void): string {
  const modules = join(root, name, 'node_modules')
  const own = join(modules, '@minions', 'storage-sqlite')
  mkdirSync(own, { recursive: true })
  for (const part of ['package.json', 'dist']) cpSync(join(here, part), join(own, part), { recursive: true })
  symlinkSync(dirname(require.resolve('@minions/core/package.json')), join(modules, '@minions', 'core'))
  driver(join(modules, 'better-sqlite3'))
  return join(root, name)
}

/** The driver without its compiled part. */
function uncompiled(folder: string): void {
  const original = dirname(require.resolve('better-sqlite3/package.json'))
  mkdirSync(folder, { recursive: true })
  for (const part of ['package.json', 'lib']) cpSync(join(original, part), join(folder, part), { recursive: true })
  const bindings = dirname(createRequire(join(original, 'package.json')).resolve('bindings'))
  symlinkSync(bindings, join(folder, '..', 'bindings'))
}

function openIn(folder: string): { code: string; message: string; name: string; cause: string } {
  const program = `
    import { Minions } from '@minions/core'
    import { backupSqlite, sqliteStorage } from '@minions/storage-sqlite'
    const show = ({ name, code, message, cause }) => ({ name, code, message, cause: String(cause?.code ?? cause?.message) })
    const opened = await Minions.open({ storage: sqliteStorage({ path: 'x.db' }) }).catch(show)
    const copied = await backupSqlite({ from: 'x.db', to: 'y.db' }).catch(show)
    if (copied.message !== opened.message) throw new Error(copied.message)
    console.log(JSON.stringify(opened))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('a driver that does not load', () => {
  it('is to be rebuilt when it was compiled for something else', () => {
    const folder = application('foreign', (driver) => {
      uncompiled(driver)
      mkdirSync(join(driver, 'build', 'Release'), { recursive: true })
      writeFileSync(join(driver, 'build', 'Release', 'better_sqlite3.node'), 'compiled for another system')
    })
    const error = openIn(folder)
    expect(error).toMatchObject({ name: 'MinionsError', code: 'STORAGE_UNAVAILABLE', cause: 'ERR_DLOPEN_FAILED' })
    expect(error.message).toContain('npm rebuild better-sqlite3')
  })

  it('is to be rebuilt when it was not compiled', () => {
    const error = openIn(application('uncompiled', uncompiled))
    expect(error).toMatchObject({ name: 'MinionsError', code: 'STORAGE_UNAVAILABLE' })
    expect(error.message).toContain('npm rebuild better-sqlite3')
  })

  it('is to be installed when it is missing', () => {
    const error = openIn(application('missing', () => {}))
    expect(error).toMatchObject({ name: 'MinionsError', code: 'STORAGE_UNAVAILABLE', cause: 'ERR_MODULE_NOT_FOUND' })
    expect(error.message).toContain('npm install better-sqlite3')
  })
})

const python = (program: string, path: string) =>
  spawnSync('python3', ['-c', program, path], { encoding: 'utf8' }).stdout.trim()
const hasPython = python('import sqlite3; print("yes")', '') === 'yes'

const needsPython = { meta: { needs: 'Python: install python3' } }

it.skipIf(!hasPython)(
  'writes files that the SQLite of Python can read, whatever its version',
  needsPython,
  async () => {
    const path = join(root, 'read.db')
    const minions = await Minions.open({ storage: sqliteStorage({ path }) })
    await minions.create('note', { title: 'Hello', fields: { content: 'World' } })
    await minions.close()
    const read = `
import json, sqlite3, sys
documents = sqlite3.connect(sys.argv[1]).execute("SELECT _doc FROM minions").fetchall()
print([json.loads(text)["title"] for text, in documents])`
    expect(python(read, path)).toBe("['Hello']")
  },
)
