import { defineType, type Minion, type Minions, type MinionsAccess, type MinionsEvents } from '@minions/core'
import { expect } from 'vitest'
import { times } from '../times.js'

/** A random UUID, version 4. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A type with a required, a constrained and a defaulted field. */
export const recipeType = defineType({
  id: 'kit-recipe',
  name: 'Recipe',
  slug: 'kit-recipe',
  schema: [
    { name: 'servings', type: 'number', required: true, validation: { min: 1 } },
    { name: 'difficulty', type: 'select', options: ['easy', 'hard'], defaultValue: 'easy' },
    { name: 'steps', type: 'tags', defaultValue: [] },
    { name: 'source', type: 'url' },
  ],
})

const EVENTS = [
  'minion.created',
  'minion.updated',
  'minion.deleted',
  'minion.restored',
  'minion.purged',
  'relation.created',
  'relation.removed',
  'type.registered',
  'type.evolved',
] as const satisfies (keyof MinionsEvents)[]

export interface Told {
  readonly name: keyof MinionsEvents
  readonly id: string
  readonly by: string | undefined
  readonly revision: string
}

/** Collects all events of a client, in order. */
export function listen(client: Minions): Told[] {
  const told: Told[] = []
  for (const name of EVENTS) {
    client.on(name, ({ record, by, revision }) => told.push({ name, id: record.id, by, revision }))
  }
  return told
}

/** Everything in the store, line by line. */
export async function contentOf(client: MinionsAccess, options: { all?: boolean } = { all: true }): Promise<string[]> {
  const lines: string[] = []
  for await (const line of client.exportBundle(options)) lines.push(line)
  return lines
}

/** Does something that must neither change the store nor emit a change. */
export async function changesNothing(client: Minions, work: () => Promise<unknown>): Promise<void> {
  const before = await contentOf(client)
  const told = listen(client)
  await work()
  expect(await contentOf(client)).toEqual(before)
  expect(told).toEqual([])
}

export function titles(minions: readonly Minion[]): string[] {
  return minions.map((minion) => minion.title)
}

/** Inputs of as many notes as requested, called n0, n1 and so on. */
export function noteInputs(count: number): { title: string; fields: { content: string } }[] {
  return times(count, (index) => ({ title: `n${index}`, fields: { content: 'x' } }))
}

/** A note with a title, and the same text as its content. */
export function note(client: MinionsAccess, title: string): Promise<Minion> {
  return client.create('note', { title, fields: { content: title } })
}
