import { describe, expect, it } from 'vitest'
import { json, servedClient } from './support/app.js'

const key = 'a-session-key-of-this-test-0123456789'

describe('a session key', () => {
  it('lets its holder in as the author it names, and is kept nowhere', async () => {
    const { app, post } = await servedClient({ session: { key, by: 'grace' } })
    const created = await post('objects.create', { type: 'note', title: 'A', fields: { content: 'x' } }, {}, key)
    expect(await json(created)).toMatchObject({ createdBy: 'grace' })
    expect((await app.server.keys.list()).items).toHaveLength(1)
  })

  it('gives the access that it names, and no more', async () => {
    const { post } = await servedClient({ session: { key, access: ['read'] } })
    expect((await post('objects.count', {}, {}, key)).status).toBe(200)
    const refused = await post('objects.create', { type: 'note', title: 'A' }, {}, key)
    expect(refused.status).toBe(403)
    expect(await json(await post('operations.list', {}, {}, key))).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ access: 'write' })]),
    )
  })

  it('is the whole key: a part of it, or another one, is refused', async () => {
    const { post } = await servedClient({ session: { key } })
    for (const other of [key.slice(0, -1), `${key}x`, 'another-key-that-is-long-enough-0123']) {
      expect((await post('objects.count', {}, {}, other)).status).toBe(401)
    }
  })

  it('must be hard to guess', async () => {
    await expect(servedClient({ session: { key: 'short' } })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('works within the tenant that the request names', async () => {
    const { post } = await servedClient({ session: { key } })
    const created = await post('keys.create', { owner: 'ada' }, { 'minions-tenant': 'acme' }, key)
    expect(await json(created)).toMatchObject({ record: { tenant: 'acme' } })
  })
})
