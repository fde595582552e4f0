import { describe, expect, it } from 'vitest'
import { parseFileUrl, resolveFileUrl } from '../../src/index.js'

describe('parseFileUrl', () => {
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
    expect(parseFileUrl(url)).toMatchObject({ path, query })
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
    expect(() => parseFileUrl(url)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining(`"${spelling}"`) }),
    )
  })

  it('refuses a server, for which there is no spelling, without its password', () => {
    expect(() => parseFileUrl('sqlite://me:secret@host/data/x.db')).toThrow(/^(?!.*secret).*sqlite:\/data\/x\.db/)
  })

  it.each(['sqlite:./100%', 'fs:./100%', 'fs:a%00b'])('refuses %s, which has no path in it', (url) => {
    expect(() => parseFileUrl(url)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it.each(['postgres://host/x', 'memory:', 'x', ''])('leaves %j to others', (url) => {
    expect(parseFileUrl(url)).toBeUndefined()
  })
})

describe('resolveFileUrl', () => {
  const below = (path: string) => `/a b?/${path}`

  it.each([
    ['sqlite:x.db?synchronous=off', 'sqlite:/a%20b%3F/x.db?synchronous=off'],
    ['fs:50%25', 'fs:/a%20b%3F/50%25'],
    ['sqlite::memory:', 'sqlite::memory:'],
    ['postgres://host/x', 'postgres://host/x'],
  ])('moves %s', (url, moved) => {
    expect(resolveFileUrl(url, below)).toBe(moved)
  })

  it('keeps every path readable', () => {
    const path = parseFileUrl('fs:a%3Fb%25c%23d')?.path ?? ''
    expect(parseFileUrl(resolveFileUrl('fs:a%3Fb%25c%23d', below))?.path).toBe(below(path))
  })
})
