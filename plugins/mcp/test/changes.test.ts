import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type OpenApp, openApp, REVISIONS } from './support/open-app.ts'

let app: OpenApp

beforeEach(async () => {
  app = await openApp()
})

afterEach(() => app.close())

type Connected = Awaited<ReturnType<typeof connect>>

async function subscribe(client: Connected, revision: string, uris: string[]): Promise<void> {
  if (revision === '2025-11-25') await Promise.all(uris.map((uri) => client.subscribeResource({ uri })))
  else await client.listen({ resourceSubscriptions: uris, resourcesListChanged: true, promptsListChanged: true })
}

describe.each(REVISIONS)('subscriptions in revision %s', (revision) => {
  it('tell of changes to what was asked for, and of lists', async () => {
    const watched = await app.create('note', { title: 'Watched', fields: { content: 'x' } })
    const other = await app.create('note', { title: 'Other', fields: { content: 'x' } })
    const client = await connect(app, { revision })
    const told: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
    client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('resources'))
    client.setNotificationHandler('notifications/prompts/list_changed', () => void told.push('prompts'))
    await subscribe(client, revision, [`minions://objects/${watched.id}`])
    await app.update(other.id, { title: 'Changed' })
    await app.update(watched.id, { title: 'Changed' })
    await expect.poll(() => told).toContain(`minions://objects/${watched.id}`)
    expect(told).not.toContain(`minions://objects/${other.id}`)
    await app.prompts.create({ title: 'Greeting', content: 'Hello' })
    await expect.poll(() => told).toEqual(expect.arrayContaining(['resources', 'prompts']))
    await client.close()
  })

  it('tell nothing of what the caller may not read', async () => {
    const { id } = await app.create('note', { title: 'Watched', fields: { content: 'x' } })
    const client = await connect(app, { revision })
    const told: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
    await subscribe(client, revision, [`minions://objects/${id}`])
    await app.server.keys.revoke(client.keyId)
    // Another client hears of the change, so that the first would have heard of it by then.
    const witness = await connect(app, { revision })
    const seen: string[] = []
    witness.setNotificationHandler('notifications/resources/updated', ({ params }) => void seen.push(params.uri))
    await subscribe(witness, revision, [`minions://objects/${id}`])
    await app.update(id, { title: 'Secret' })
    await expect.poll(() => seen.length).toBeGreaterThan(0)
    expect(told).toEqual([])
    await witness.close()
  })
})
