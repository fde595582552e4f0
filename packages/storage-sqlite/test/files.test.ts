import { AsyncResource } from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import Database from 'better-sqlite3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { backupSqlite, sqliteStorage, storageFromUrl } from '../src/index.js'

const root = mkdtempSync(join(tmpdir(), 'minions-sqlite-'))
let folder = root
let count = 0

beforeEach(() => {
  folder = join(root, String(count++))
  mkdirSync(folder)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const note = (title: string, content = title) => ({ title, fields: { content } })

async function filled(path: string, size = 200): Promise<void> {
  const minions = await Minions.open({ storage: sqliteStorage({ path }) })
  await minions.createMany(
    'note',
    Array.from({ length: size }, (_, index) => note(`n${index}`, 'x'.repeat(2000))),
  )
  await minions.close()
}

describe('opening a file', () => {
  it('touches nothing before it is opened, and then makes missing folders', async () => {
    const path = join(folder, 'a', 'b', 'store.db')
    const storage = sqliteStorage({ path })
    expect(existsSync(join(folder, 'a'))).toBe(false)
    const minions = await Minions.open({ storage })
    await minions.create('note', note('one'))
    await minions.close()
    expect(existsSync(path)).toBe(true)
  })

  it('refuses options that make no sense', () => {
    expect(() => sqliteStorage({ path: '' })).toThrow(/path/)
    expect(() => sqliteStorage({ path: 'x', synchronous: 'sometimes' as 'full' })).toThrow(/synchronous/)
  })

  it('is named by a URL', async () => {
    const minions = await Minions.open({
      storage: storageFromUrl(`sqlite:${join(folder, 'by url.db')}?synchronous=off`),
    })
    await minions.create('note', note('one'))
    await minions.close()
    expect(existsSync(join(folder, 'by url.db'))).toBe(true)
  })

  it.each([
    ['sqlite://./x.db', 'sqlite:./x.db'],
    ['sqlite://localhost/x.db', 'sqlite:/x.db'],
    ['sqlite:./100%', '%25'],
  ])('refuses %s, which would be a file elsewhere, and says what to write', (url, remedy) => {
    expect(() => storageFromUrl(url)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining(remedy) }),
    )
  })

  it('refuses a file that a newer version wrote', async () => {
    const path = join(folder, 'store.db')
    await filled(path, 1)
    const database = new Database(path)
    database.pragma('user_version = 99')
    database.close()
    await expect(Minions.open({ storage: sqliteStorage({ path }) })).rejects.toMatchObject({ code: 'STORAGE_VERSION' })
  })
})

describe('several stores on one file in one process', () => {
  it('take turns instead of failing, and see each other', async () => {
    const path = join(folder, 'store.db')
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => Minions.open({ storage: sqliteStorage({ path, busyTimeout: 2000 }) })),
    )
    await Promise.all(
      stores.flatMap((store, index) => Array.from({ length: 25 }, () => store.create('note', note(`s${index}`)))),
    )
    for (const store of stores) expect(await store.count()).toBe(100)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('do not see what another has not committed', async () => {
    const path = join(folder, 'store.db')
    const [writer, reader] = [
      await Minions.open({ storage: sqliteStorage({ path }) }),
      await Minions.open({ storage: sqliteStorage({ path }) }),
    ]
    // A client refuses to be used inside its own transaction, which this is not: it only happens meanwhile.
    const countMeanwhile = AsyncResource.bind(() => writer.count())
    await writer.transaction(async (tx) => {
      await tx.create('note', note('hidden'))
      expect(await tx.count()).toBe(1)
      expect(await reader.count()).toBe(0)
      expect(await countMeanwhile()).toBe(0)
    })
    expect(await reader.count()).toBe(1)
    await writer.close()
    await reader.close()
  })
})

describe('another process that holds the lock', () => {
  it('is waited for up to the timeout, then it is STORAGE_BUSY, and afterwards work goes on', async () => {
    const path = join(folder, 'store.db')
    const minions = await Minions.open({ storage: sqliteStorage({ path, busyTimeout: 100 }) })
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(minions.create('note', note('late'))).rejects.toMatchObject({ code: 'STORAGE_BUSY' })
    expect(await minions.count()).toBe(0)
    other.exec('ROLLBACK')
    other.close()
    await minions.create('note', note('now'))
    expect(await minions.count()).toBe(1)
    await minions.close()
  })
})

describe('damage', () => {
  it('a file that is no database is STORAGE_CORRUPT', async () => {
    const path = join(folder, 'store.db')
    writeFileSync(path, 'This is a letter, not a database. '.repeat(100))
    await expect(Minions.open({ storage: sqliteStorage({ path }) })).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
  })

  it('pages overwritten with noise are STORAGE_CORRUPT when they are read', async () => {
    const path = join(folder, 'store.db')
    await filled(path)
    const size = statSync(path).size
    const file = openSync(path, 'r+')
    for (let offset = 16 * 4096; offset < size; offset += 4096)
      writeSync(file, Buffer.alloc(4000, 0xa5), 0, 4000, offset)
    const reading = async () => {
      const minions = await Minions.open({ storage: sqliteStorage({ path }) })
      try {
        await minions.find({ limit: 1000 })
      } finally {
        await minions.close()
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
  })

  it.each(['{', '', 'x5', '5', 'null'])(
    'the document %j is STORAGE_CORRUPT, and the others are still read',
    async (doc) => {
      const path = join(folder, 'store.db')
      const minions = await Minions.open({ storage: sqliteStorage({ path }) })
      const [bad, good] = await minions.createMany('note', [note('bad'), note('good')])
      const database = new Database(path)
      database.prepare('UPDATE minions SET _doc = ? WHERE id = ?').run(doc, bad?.id)
      database.close()
      await expect(minions.get(bad?.id ?? '')).rejects.toMatchObject({
        code: 'STORAGE_CORRUPT',
        details: { key: bad?.id },
      })
      await expect(minions.find()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
      expect(await minions.get(good?.id ?? '')).toMatchObject({ title: 'good' })
      await minions.close()
    },
  )
})

describe('a disk that does not cooperate', () => {
  const asRoot = process.getuid?.() === 0

  const needsMount = { meta: { needs: 'the right to mount a disk: run as root' } }

  it.skipIf(asRoot)(
    'a read-only file is STORAGE_UNAVAILABLE',
    { meta: { needs: 'a user other than root' } },
    async () => {
      const path = join(folder, 'store.db')
      await filled(path, 1)
      chmodSync(path, 0o444)
      await expect(Minions.open({ storage: sqliteStorage({ path }) })).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
      })
    },
  )

  it('a folder where the file should be is STORAGE_UNAVAILABLE', async () => {
    await expect(Minions.open({ storage: sqliteStorage({ path: folder }) })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
  })

  const disk = mountSmallDisk()

  it.skipIf(!disk)(
    'a full disk is STORAGE_UNAVAILABLE, the store stays whole, and work goes on',
    needsMount,
    async () => {
      const path = join(disk ?? '', 'store.db')
      const filler = join(disk ?? '', 'filler')
      const minions = await Minions.open({ storage: sqliteStorage({ path }) })
      const kept = await minions.create('note', note('kept'))
      fill(filler)
      const big = Array.from({ length: 200 }, (_, index) => note(`big${index}`, 'y'.repeat(5000)))
      await expect(minions.createMany('note', big)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
      expect((await minions.find()).items.map(({ id }) => id)).toEqual([kept.id])
      rmSync(filler)
      await minions.create('note', note('after'))
      expect(await minions.count()).toBe(2)
      await minions.close()
    },
  )

  it.skipIf(!disk)(
    'a read-only disk is STORAGE_UNAVAILABLE, and work goes on once it is writable',
    needsMount,
    async () => {
      const path = join(disk ?? '', 'other.db')
      await filled(path, 3)
      execFileSync('mount', ['-o', 'remount,ro', disk ?? ''])
      await expect(Minions.open({ storage: sqliteStorage({ path }) })).rejects.toMatchObject({
        code: 'STORAGE_UNAVAILABLE',
      })
      execFileSync('mount', ['-o', 'remount,rw', disk ?? ''])
      const minions = await Minions.open({ storage: sqliteStorage({ path }) })
      await minions.create('note', note('after'))
      expect(await minions.count()).toBe(4)
      await minions.close()
    },
  )

  afterAll(() => {
    if (!disk) return
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
})

describe('backup', () => {
  it('copies a store while it is written to; the copy is the state of one moment', async () => {
    const path = join(folder, 'store.db')
    const minions = await Minions.open({ storage: sqliteStorage({ path, synchronous: 'off' }) })
    await minions.createMany(
      'note',
      Array.from({ length: 500 }, (_, index) => note(`n${index}`, 'x'.repeat(1000))),
    )
    let copying = true
    const writing = (async () => {
      while (copying) {
        await minions.transaction(async (tx) => {
          await tx.create('thought', { title: 'left', fields: { content: 'pair' } })
          await tx.create('thought', { title: 'right', fields: { content: 'pair' } })
        })
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    const progress: number[] = []
    await backupSqlite({ from: path, to: join(folder, 'copy.db'), onProgress: ({ done }) => progress.push(done) })
    copying = false
    await writing
    const copy = await Minions.open({ storage: sqliteStorage({ path: join(folder, 'copy.db') }) })
    expect(await copy.count({ type: 'note' })).toBe(500)
    expect((await copy.count({ type: 'thought' })) % 2).toBe(0)
    await copy.close()
    await minions.close()
  })

  it('refuses what is not there', async () => {
    const to = join(folder, 'copy.db')
    await expect(backupSqlite({ from: join(folder, 'none.db'), to })).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    })
    await expect(backupSqlite({ from: ':memory:', to })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

/** A disk of two megabytes, where the machine lets us mount one. */
function mountSmallDisk(): string | undefined {
  const location = mkdtempSync(join(tmpdir(), 'minions-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', location], { stdio: 'ignore' })
    return location
  } catch {
    return undefined
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(64 * 1024, 1))
  } catch {
    // The disk is full, as intended.
    closeSync(file)
  }
}
