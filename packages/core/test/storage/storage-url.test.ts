import { describe, expect, it } from 'vitest'
import { parseStorageUrl, resolveStorageUrl, takeStorageUrl } from '../../src/storage/index.js'

describe('parseStorageUrl', () => {
  it.each([
    ['sqlite:./x.db', './x.db', ''],
    ['sqlite:x.db?synchronous=normal', 'x.db', 'synchronous=normal'],
    ['SQLITE:/a/b.db', '/a/b.db', ''],
    ['sqlite:///a/b.db', '/a/b.db', ''],
    ['sqlite::memory:', ':memory:', ''],
    ['sqlite:', 'minions.db', ''],
    ['fs:', 'minions', ''],
    ['fs:../data', '../data', ''],
    ['fs:%2e/b%20c', './b c', ''],
    ['fs:a%3Fb%2Fc?format=yaml', 'a?b/c', 'format=yaml'],
    ['sqlite:C:\\data\\x.db', 'C:\\data\\x.db', ''],
    ['fs:C:/data', 'C:/data', ''],
  ])('reads %s', (url, path, query) => {
    expect(parseStorageUrl(url)).toMatchObject({ path, query })
  })

  it.each([
    ['sqlite://./x.db', 'sqlite:./x.db'],
    ['sqlite://../x.db', 'sqlite:../x.db'],
    ['sqlite://x.db', 'sqlite:x.db'],
    ['sqlite://x.db?synchronous=off', 'sqlite:x.db?synchronous=off'],
    ['fs://./data', 'fs:./data'],
    ['fs://data', 'fs:data'],
    ['fs://%2e/data', 'fs:%2e/data'],
    ['fs://C:/data', 'fs:C:/data'],
    ['fs://C:\\data', 'fs:C:\\data'],
    ['sqlite://localhost/data/x.db', 'sqlite:/data/x.db'],
  ])('refuses the host in %s and says to write %s', (url, spelling) => {
    expect(() => parseStorageUrl(url)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining(`"${spelling}"`) }),
    )
  })

  it('refuses a server, for which there is no spelling, without its password', () => {
    expect(() => parseStorageUrl('sqlite://me:secret@host/data/x.db')).toThrow(/^(?!.*secret).*sqlite:\/data\/x\.db/)
  })

  it.each(['sqlite:./100%', 'fs:./100%', 'fs:a%00b'])('refuses %s, which has no path in it', (url) => {
    expect(() => parseStorageUrl(url)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('reads any other scheme without a path', () => {
    expect(parseStorageUrl('Postgres://anna@host/x?schema=a')).toEqual({
      scheme: 'postgres',
      base: 'Postgres://anna@host/x',
      query: 'schema=a',
      path: undefined,
    })
    expect(parseStorageUrl('memory:')).toMatchObject({ scheme: 'memory', path: undefined })
  })

  it.each(['x', '', './x', '1x:y'])('finds no scheme in %j', (url) => {
    expect(parseStorageUrl(url)).toBeUndefined()
  })
})

describe('takeStorageUrl', () => {
  it('takes the parameters that a backend knows, and leaves the others to a driver', () => {
    const taken = takeStorageUrl('postgres://h/d?ssl=1&schema=a', ['postgres', 'postgresql'], ['schema', 'poolSize'])
    expect(taken).toMatchObject({ base: 'postgres://h/d', options: { schema: 'a' } })
    expect(String(taken.others)).toBe('ssl=1')
  })

  it('refuses a parameter that the backend of a file does not know', () => {
    expect(() => takeStorageUrl('sqlite:x.db?sync=off', ['sqlite'], ['synchronous'])).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        message: expect.stringMatching(/"sync"; the known parameters are synchronous/),
      }),
    )
  })

  it('refuses the URL of another backend, without its password', () => {
    expect(() => takeStorageUrl('mysql://me:secret@host/x', ['postgres'], [])).toThrow(/^(?!.*secret).*postgres: URL/)
  })
})

describe('resolveStorageUrl', () => {
  const below = (path: string) => `/a b?/${path}`

  it.each([
    ['sqlite:x.db?synchronous=off', 'sqlite:/a%20b%3F/x.db?synchronous=off'],
    ['fs:50%25', 'fs:/a%20b%3F/50%25'],
    ['sqlite::memory:', 'sqlite::memory:'],
    ['postgres://host/x', 'postgres://host/x'],
  ])('moves %s', (url, moved) => {
    expect(resolveStorageUrl(url, below)).toBe(moved)
  })

  it('keeps every path readable', () => {
    const path = parseStorageUrl('fs:a%3Fb%25c%23d')?.path ?? ''
    expect(parseStorageUrl(resolveStorageUrl('fs:a%3Fb%25c%23d', below))?.path).toBe(below(path))
  })
})
