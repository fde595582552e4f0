import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../src/storage/memory/memory-storage.js'
import { StorageSchemes } from '../../src/storage/schemes.js'
import { hidePassword } from '../../src/storage/storage-url.js'

describe('storage schemes', () => {
  it('know memory: from the start, and more once they are registered', async () => {
    const schemes = new StorageSchemes()
    expect((await schemes.resolve('memory:')).name).toBe('memory')
    expect((await schemes.resolve('MEMORY:')).name).toBe('memory')
    const urls: string[] = []
    schemes.register('thing', (url) => {
      urls.push(url)
      return memoryStorage()
    })
    await schemes.resolve('thing:./x?y=1')
    expect(urls).toEqual(['thing:./x?y=1'])
    expect(schemes.list()).toEqual(['memory', 'thing'])
    expect(new StorageSchemes().list()).toEqual(['memory'])
  })

  it('refuse a scheme that is there or is none', () => {
    const schemes = new StorageSchemes()
    expect(() => schemes.register('memory', () => memoryStorage())).toThrow(
      expect.objectContaining({ code: 'ALREADY_REGISTERED' }),
    )
    for (const scheme of ['', 'a b', 'A', '1x', 'x:']) {
      expect(() => schemes.register(scheme, () => memoryStorage())).toThrow(
        expect.objectContaining({ code: 'VALIDATION_FAILED' }),
      )
    }
  })

  it('name the known ones when asked for an unknown one, and never a password', async () => {
    const failure = new StorageSchemes().resolve('nosql://anna:s3cret@host/db')
    await expect(failure).rejects.toMatchObject({
      code: 'UNKNOWN_SCHEME',
      message: expect.not.stringContaining('s3cret'),
      details: { scheme: 'nosql', known: ['memory:'] },
    })
    for (const url of ['', 'minions.db', './x', 'constructor:', '__proto__:']) {
      await expect(new StorageSchemes().resolve(url)).rejects.toMatchObject({ code: 'UNKNOWN_SCHEME' })
    }
  })

  it('hide passwords wherever they contain odd characters', () => {
    expect(hidePassword('postgres://anna:p:w@x@host:5432/db')).toBe('postgres://anna:***@host:5432/db')
    expect(hidePassword('postgres://:pw@host')).toBe('postgres://:***@host')
    expect(hidePassword('postgres://host:5432/db')).toBe('postgres://host:5432/db')
    expect(hidePassword('sqlite:./a@b.db')).toBe('sqlite:./a@b.db')
  })
})
