// @ts-check
import { Type } from 'typebox'
import { loadCore, makeBackend } from '../backends.mjs'

/**
 * Records that count how often they were written, so that the order of a record's changes can be told.
 * @typedef {{ id: string, count: number }} Mark
 */

/**
 * Opens a store of marks.
 * @param {import('../backends.mjs').BackendDescription} backend
 */
export async function openMarks(backend) {
  const { defineCollection, Store } = await loadCore()
  const marks = defineCollection({
    name: 'marks',
    version: 1,
    schema: Type.Object({ id: Type.String(), count: Type.Integer() }),
    key: 'id',
  })
  return { marks, store: await Store.open(await makeBackend(backend), [marks]) }
}

/** The time in milliseconds, in fractions of them, the same for all processes of a machine. */
export const moment = () => performance.timeOrigin + performance.now()
