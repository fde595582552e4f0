// @ts-check
import assert from 'node:assert/strict'
import { createClient } from '@minions/client'

/**
 * @typedef {object} Day
 * @property {string} url
 * @property {string} key
 * @property {readonly import('./team-member.mjs').Acknowledged[]} acknowledged
 * @property {readonly (readonly import('@minions/client').ChangeEvent[])[]} heard what each listener heard of notes
 * @property {number} seed
 */

/** Calls that are made once more, spread over the day. */
const REPEATED = 60

/**
 * Fails unless everything that was answered is there, nothing was done twice, a call that is repeated gives its first
 * answer, and every listener heard of every change of a note once.
 * @param {Day} day
 */
export async function verifyDay({ url, key, acknowledged, heard, seed }) {
  const say = (/** @type {string} */ what) => `${what} (seed ${seed})`
  const client = createClient({ url, key })
  const of = (/** @type {string} */ operation) => acknowledged.filter((call) => call.operation === operation)

  const contents = new Map(of('objects.create').map(({ answer }) => [answer.id, answer.fields.content]))
  for (const { input } of of('objects.update')) contents.set(input.id, input.fields.content)
  const notes = await all(client, 'objects.find', { type: 'note' })
  assert.deepEqual(
    sorted(notes.map(({ id, fields }) => [id, fields.content])),
    sorted([...contents]),
    say('notes differ'),
  )
  assert.deepEqual(new Set(notes.map(({ createdBy }) => createdBy)), new Set(['ada']), say('another author'))

  const linked = of('relations.link').map(({ answer }) => [answer.id, answer.targetId])
  const relations = await all(client, 'relations.find', { types: ['relates_to'] })
  assert.deepEqual(sorted(relations.map(({ id, targetId }) => [id, targetId])), sorted(linked), say('relations differ'))

  for (const { answer } of of('prompts.create')) {
    const added = of('prompts.addVersion').filter(({ input }) => input.prompt === answer.title)
    const history = /** @type {any[]} */ (await client.call('prompts.history', { prompt: answer.id }))
    const versions = history.filter(({ id }) => id !== answer.id).map(({ fields }) => fields.content)
    assert.deepEqual(
      sorted(versions),
      sorted(added.map(({ input }) => input.content)),
      say(`versions of ${answer.title}`),
    )
  }

  const step = Math.max(1, Math.floor(acknowledged.length / REPEATED))
  for (const { operation, input, key: idempotencyKey, answer } of acknowledged.filter(
    (_, index) => index % step === 0,
  )) {
    const again = await client.call(operation, input, { idempotencyKey })
    assert.deepEqual(again, answer, say(`${operation} was answered otherwise when it was repeated`))
  }

  const changed = [
    ...of('objects.create').map(({ answer }) => answer.id),
    ...of('objects.update').map(({ input }) => input.id),
  ]
  for (const events of heard) {
    assert.equal(new Set(events.map(({ revision }) => revision)).size, events.length, say('an event was heard twice'))
    assert.deepEqual(sorted(events.map(({ key: id }) => id)), sorted(changed), say('events are missing'))
  }
}

/**
 * @param {import('@minions/client').Client} client
 * @param {string} operation
 * @param {object} input
 * @returns {Promise<any[]>} the items of all pages
 */
async function all(client, operation, input) {
  const [area = '', verb = ''] = operation.split('.')
  const items = []
  for await (const item of client[area]?.[verb]?.iterate(input) ?? []) items.push(item)
  return items
}

/** @template T @param {T[]} values */
const sorted = (values) => values.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
