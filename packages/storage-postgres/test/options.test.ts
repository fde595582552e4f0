import { Minions } from '@minions/core'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { postgresStorage, storageFromUrl } from '../src/index.ts'

describe('options', () => {
  const connectionString = 'postgres://user:open-sesame@127.0.0.1:1/database'

  it('touch nothing before the store is opened', async () => {
    const storage = postgresStorage({ connectionString })
    expect(storage).toMatchObject({
      name: 'postgres',
      capabilities: { shared: true, count: true, search: true, claim: true },
    })
    await expect(storage.get('minions', ['x'])).rejects.toMatchObject({ code: 'CLOSED' })
    await storage.close()
    await storage.close()
  })

  it.each([
    [{}],
    [{ connectionString: '' }],
    [{ connectionString, pool: new Pool() }],
    [{ connectionString, schema: '' }],
    [{ connectionString, schema: 'pg_toast' }],
    [{ connectionString, schema: 'x'.repeat(64) }],
    [{ connectionString, schema: 'a\0b' }],
    [{ connectionString, poolSize: 0 }],
    [{ connectionString, poolSize: 1.5 }],
    [{ connectionString, connectionTimeout: -1 }],
    [{ connectionString, retries: -1 }],
  ])('are refused when they cannot be used: %j', (options) => {
    expect(() => postgresStorage(options)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('never show the password', async () => {
    for (const location of [connectionString, 'postgres://127.0.0.1:1/x?user=u&password=open-sesame']) {
      const error = await Minions.open({ storage: storageFromUrl(location) }).catch((caught) => caught)
      expect(error.code).toBe('STORAGE_UNAVAILABLE')
      expect(error.message).toContain('127.0.0.1:1')
      expect(`${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toContain('sesame')
    }
    expect(() => storageFromUrl('mysql://user:open-sesame@host/x')).toThrow(/"mysql:\/\/user:\*\*\*@host\/x"/)
  })
})
