import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DataFiles, dataFiles, Workspace } from '../src/index.js'
import { runChild } from './child.js'
import { temporaryDirectory } from './temporary.js'

async function setUp() {
  const root = await temporaryDirectory()
  const outside = await temporaryDirectory()
  await mkdir(join(root, 'data'))
  await writeFile(join(outside, 'secret.txt'), 'secret')
  return { root, outside, data: join(root, 'data'), files: dataFiles(new Workspace({ name: 'w', root_path: root })) }
}

/** Tries everything with one path and expects each to be refused. */
async function expectRefused(files: DataFiles, path: string, reason?: string): Promise<void> {
  const refusal = reason ? { code: 'PATH_REFUSED', details: { reason } } : { code: 'PATH_REFUSED' }
  await expect(files.read(path), `read ${path}`).rejects.toMatchObject(refusal)
  await expect(files.write(path, 'x'), `write ${path}`).rejects.toMatchObject(refusal)
  await expect(files.delete(path), `delete ${path}`).rejects.toMatchObject(refusal)
}

describe('files inside the boundary', () => {
  it('are written, read, listed and deleted', async () => {
    const { files, data } = await setUp()
    await files.write('b.txt', 'Größe')
    await files.write('deep/er/a.bin', new Uint8Array([0, 255]))
    await files.write('b.txt', 'again')
    expect(await files.read('b.txt')).toBe('again')
    expect([...(await files.readBytes('deep/er/a.bin'))]).toEqual([0, 255])
    expect(await files.list()).toEqual(['b.txt', 'deep/er/a.bin'])
    expect(await files.list('deep')).toEqual(['deep/er/a.bin'])
    expect(await files.list('nowhere')).toEqual([])
    expect(await files.delete('b.txt')).toBe(true)
    expect(await files.delete('b.txt')).toBe(false)
    expect(await files.delete('no/such/dir')).toBe(false)
    await expect(files.delete('deep')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    await files.delete('deep/er/a.bin')
    expect(await files.delete('deep/er')).toBe(true)
    await expect(files.read('b.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await readdir(data)).toEqual(['deep'])
  })

  it('need a folder, and make data/ when it is missing', async () => {
    expect(() => dataFiles(new Workspace({ name: 'w' }))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
    const files = dataFiles(new Workspace({ name: 'w', root_path: join(await temporaryDirectory(), 'new') }))
    expect(await files.list()).toEqual([])
    await files.write('x', 'y')
    expect(await files.list()).toEqual(['x'])
  })

  it('may have any ordinary name', async () => {
    const { files } = await setUp()
    const names = [
      '.hidden',
      '...x',
      'con-tract.md',
      'nullable',
      'a b',
      'ü☃',
      '__proto__',
      '-',
      'x'.repeat(255),
      'com10',
    ]
    for (const name of names) await files.write(name, name)
    expect((await files.list()).length).toBe(names.length)
    for (const name of names) expect(await files.read(name)).toBe(name)
  })
})

describe('paths that are refused', () => {
  it.each([
    ['..', 'parent'],
    ['../x', 'parent'],
    ['a/../../x', 'parent'],
    ['a/..', 'parent'],
    ['/etc/passwd', 'absolute'],
    ['//server/share', 'absolute'],
    ['\\\\server\\share', 'absolute'],
    ['C:\\x', 'absolute'],
    ['c:x', 'absolute'],
    ['~/x', 'absolute'],
    ['', 'empty'],
    ['.', 'empty'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['./a', 'empty'],
    ['a\\b', 'characters'],
    ['a\0b', 'characters'],
    ['a\nb', 'characters'],
    ['file.txt:stream', 'characters'],
    ['lone\ud800', 'characters'],
    ['dot.', 'characters'],
    ['space ', 'characters'],
    ['CON', 'device'],
    ['nul', 'device'],
    ['a/Aux.txt', 'device'],
    ['COM1', 'device'],
    ['lpt9.log/x', 'device'],
    ['com¹', 'device'],
    ['CONIN$', 'device'],
    ['x'.repeat(256), 'too-long'],
    ['ü'.repeat(128), 'too-long'],
    [`${'d/'.repeat(600)}x`, 'too-long'],
  ])('%j', async (path, reason) => {
    const { files, data } = await setUp()
    await expectRefused(files, path, reason)
    if (path !== '') await expect(files.list(path)).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    expect(await readdir(data)).toEqual([])
  })

  it('that are no text', async () => {
    const { files } = await setUp()
    for (const path of [undefined, null, 5, {}, ['a']]) await expectRefused(files, path as never)
  })

  it('whatever is tried, nothing appears outside', async () => {
    const { root, outside, files } = await setUp()
    await symlink(outside, join(root, 'data', 'link'))
    const part = fc.constantFrom('..', '.', '', 'a', 'link', 'secret.txt', '/', '\\', 'C:', 'NUL', '~', 'a.', '\0')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const path = parts.join('/')
        await files.write(path, 'attack').catch(() => undefined)
        await files.delete(path).catch(() => undefined)
        await expect(files.read(path).catch(() => 'refused')).resolves.not.toBe('secret')
      }),
      { numRuns: 150, seed: 7 },
    )
    expect(await readdir(outside)).toEqual(['secret.txt'])
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
    expect(await readdir(root)).toEqual(['data'])
  })
})

describe('symlinks', () => {
  it('to a file or folder outside are refused', async () => {
    const { data, outside, files } = await setUp()
    await symlink(join(outside, 'secret.txt'), join(data, 'file'))
    await symlink(outside, join(data, 'folder'))
    await expectRefused(files, 'file', 'symlink')
    await expectRefused(files, 'folder', 'symlink')
    await expectRefused(files, 'folder/secret.txt', 'symlink')
    await expectRefused(files, 'folder/new/deep.txt', 'symlink')
    await expect(files.list('folder')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
    expect(await files.list()).toEqual([])
    expect(await readdir(outside)).toEqual(['secret.txt'])
  })

  it('that lead nowhere yet are refused, and nothing is made there', async () => {
    const { data, outside, files } = await setUp()
    await symlink(join(outside, 'not-yet'), join(data, 'parent'))
    await symlink(join(outside, 'not-yet.txt'), join(data, 'file'))
    await mkdir(join(data, 'sub'))
    await symlink('../../../not-yet', join(data, 'sub', 'up'))
    await expectRefused(files, 'parent/a.txt', 'symlink')
    await expectRefused(files, 'parent/deep/a.txt', 'symlink')
    await expectRefused(files, 'file', 'symlink')
    await expectRefused(files, 'sub/up/a.txt', 'symlink')
    expect(await readdir(outside)).toEqual(['secret.txt'])
  })

  it('in place of data/ itself are refused', async () => {
    const { root, outside } = await setUp()
    const other = join(root, 'other')
    await mkdir(other)
    await symlink(outside, join(other, 'data'))
    const files = dataFiles(new Workspace({ name: 'w', root_path: other }))
    await expectRefused(files, 'secret.txt', 'symlink')
    await expect(files.list()).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  })

  it.skipIf(!existsSync('/proc/self/fd'))(
    'put in place while files are written do not lead out',
    { meta: { needs: '/proc/self/fd: run on Linux' } },
    async () => {
      const { data, outside, files } = await setUp()
      const attack = runChild('swap-symlink.mjs', data, outside)
      let done = false
      const ended = attack.finally(() => {
        done = true
      })
      while (!done) await files.write('dir/file.txt', 'x').catch(() => undefined)
      expect(Number(await ended)).toBeGreaterThan(100)
      expect(await readdir(outside)).toEqual(['secret.txt'])
    },
  )
})

it('things that are no files are refused without waiting for them', async () => {
  const { data, files } = await setUp()
  await mkdir(join(data, 'folder'))
  await promisify(execFile)('mkfifo', [join(data, 'pipe')])
  await expect(files.read('folder')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  await expect(files.write('folder', 'x')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  await expect(files.read('pipe')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  await expect(files.write('pipe', 'x')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
  await writeFile(join(data, 'plain'), '')
  await expect(files.write('plain/x', 'x')).rejects.toMatchObject({ code: 'PATH_REFUSED' })
})

it('writing replaces a file instead of changing what it shares with another name', async () => {
  const { data, outside, files } = await setUp()
  await link(join(outside, 'secret.txt'), join(data, 'shared'))
  await files.write('shared', 'mine')
  expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
})
