import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile, replaceFileSync } from '../src/index.js'
import { temporaryFolder } from './temporary.js'

async function* pieces(...all: (string | Error)[]) {
  for (const piece of all) {
    if (piece instanceof Error) throw piece
    yield piece
  }
}

describe('replaceFile', () => {
  it.each([
    ['a text', 'new'],
    ['bytes', Buffer.from('new')],
    ['pieces', ['n', 'e', 'w']],
    ['pieces that come one by one', pieces('ne', 'w')],
  ])('writes %s, and leaves no draft', async (_, content) => {
    const folder = temporaryFolder()
    const path = join(folder, 'file')
    writeFileSync(path, 'an old text that is longer')
    await replaceFile(path, content)
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('leaves the old content when the pieces fail or the directory is missing', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'file')
    writeFileSync(path, 'old')
    await expect(replaceFile(path, pieces('half', new Error('cut off')))).rejects.toThrow('cut off')
    await expect(replaceFile(join(folder, 'missing', 'file'), 'x')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it('keeps the mode, and writes through a link', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'file')
    writeFileSync(path, 'old')
    chmodSync(path, 0o640)
    symlinkSync(path, join(folder, 'link'))
    await replaceFile(join(folder, 'link'), 'new')
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
  })

  it('shows the old content or the new one to whoever reads meanwhile', async () => {
    const path = join(temporaryFolder(), 'file')
    const texts = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    await replaceFile(path, texts[0] as string)
    let isDone = false
    const read = async () => {
      for (; !isDone; await new Promise((resolve) => setImmediate(resolve))) {
        expect(texts).toContain(readFileSync(path, 'utf8'))
      }
    }
    const writing = (async () => {
      for (let round = 0; round < 10; round++) await replaceFile(path, texts[round % 2] as string)
      isDone = true
    })()
    await Promise.all([read(), writing])
  })
})

describe('what cannot be written', () => {
  const contents = { object: {}, function: () => 'text', numbers: [1], holes: new Array(2 ** 32 - 1) }

  it.each(Object.keys(contents))('%s is refused, and leaves the file as it was', async (name) => {
    const content = contents[name as keyof typeof contents]
    const path = join(temporaryFolder(), 'file')
    await replaceFile(path, 'old')
    await expect(replaceFile(path, content as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(readFileSync(path, 'utf8')).toBe('old')
  })

  it('refuses a path that no system takes', async () => {
    await expect(replaceFile('x'.repeat(50_000_000), '')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('replaceFileSync', () => {
  it('creates the directory, and leaves no draft whatever happens', () => {
    const folder = temporaryFolder()
    const draft = join(folder, 'draft')
    for (const durable of [false, true]) {
      replaceFileSync(join(folder, String(durable), 'file'), 'new', draft, durable)
      expect(readFileSync(join(folder, String(durable), 'file'), 'utf8')).toBe('new')
    }
    mkdirSync(join(folder, 'directory', 'full'), { recursive: true })
    expect(() => replaceFileSync(join(folder, 'directory'), 'x', draft, true)).toThrow()
    expect(readdirSync(folder).sort()).toEqual(['directory', 'false', 'true'])
  })
})
