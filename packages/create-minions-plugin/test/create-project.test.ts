import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createProject } from '../src/index.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const bin = fileURLToPath(new URL('../bin/create-minions-plugin.js', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'minions-create-'))
afterAll(() => rmSync(scratch, { recursive: true }))

function succeeds(folder: string, program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
}

describe.each(['plugin', 'storage'] as const)('a new %s', (kind) => {
  it('outside the repository builds and passes its tests', { timeout: 300_000 }, () => {
    const { folder } = createProject(kind, join(scratch, `my-${kind}`))
    // As npm would install it, with the packages as they were built.
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    succeeds(folder, 'tsc')
    succeeds(folder, 'vitest', 'run')
  })
})

describe('createProject', () => {
  it('names the package so that it is found, however the folder is called', () => {
    for (const [kind, folder, name] of [
      ['plugin', 'weather', 'minions-weather'],
      ['plugin', 'minions-plugin-snow', 'minions-snow'],
      ['storage', 'clay', 'minions-storage-clay'],
      ['storage', 'minions-storage-wood', 'minions-storage-wood'],
    ] as const) {
      expect(createProject(kind, join(scratch, 'names', folder)).packageName).toBe(name)
    }
  })

  it('takes the packages of Minions from tarballs, when it is told where they are', () => {
    const tarballs = join(scratch, 'tarballs')
    mkdirSync(tarballs)
    for (const name of ['core', 'host', 'storage-testkit'])
      writeFileSync(join(tarballs, `minions-${name}-1.2.3.tgz`), '')
    const { folder } = createProject('plugin', join(scratch, 'from-tarballs'), { tarballs })
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(devDependencies['@minions/core']).toMatch(/^file:.*\/tarballs\/minions-core-1\.2\.3\.tgz$/)
    expect(() => createProject('plugin', join(scratch, 'nothing'), { tarballs: scratch })).toThrow(
      'contains no tarballs',
    )
  })

  it('writes over nothing, and refuses what cannot be a name', () => {
    createProject('plugin', join(scratch, 'taken'))
    expect(() => createProject('plugin', join(scratch, 'taken'))).toThrow('is not empty')
    expect(() => createProject('plugin', join(scratch, 'Not_a_name'))).toThrow('cannot be a name')
  })
})

describe('npm create minions-plugin', () => {
  it('says what it made and what to do next', () => {
    const { status, stdout } = spawnSync(process.execPath, [bin, 'hello'], { cwd: scratch, encoding: 'utf8' })
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('cd hello && npm install') })
  })

  it.each([[[]], [['a', 'b']], [['--bogus']]])('%j is a usage error', (args) => {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: scratch, encoding: 'utf8' })
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: npm create') })
  })

  it('answers what cannot be made in one line', () => {
    const { status, stderr } = spawnSync(process.execPath, [bin, 'UPPER'], { cwd: scratch, encoding: 'utf8' })
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^create-minions-plugin: .*\n$/),
    })
  })
})
