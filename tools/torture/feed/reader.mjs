// @ts-check
/**
 * A process that follows the change feed from a cursor until it is killed. Tells its parent every change, one line of JSON
 * each, written in one go: what the parent has read, the process has seen, and its cursor goes on behind it.
 */
import { writeSync } from 'node:fs'
import { moment, openMarks } from './marks.mjs'

/**
 * @typedef {{ cursor: string, key: string, kind: 'put' | 'delete', revision: string, at: number }} Heard `at`: when
 * @typedef {{ backend: import('../backends.mjs').BackendDescription, since: string }} ReaderArgument
 */

/** @type {ReaderArgument} */
const { backend, since } = JSON.parse(process.argv[2] ?? '{}')
const { store } = await openMarks(backend)
let isLive = false
for await (const { items, more } of store.changePages({ since })) {
  const at = moment()
  for (const { cursor, key, kind, revision } of items) {
    writeSync(1, `${JSON.stringify({ cursor, key, kind, revision, at })}\n`)
  }
  if (isLive || more) continue
  isLive = true
  writeSync(1, `${JSON.stringify({ liveSince: at })}\n`)
}
