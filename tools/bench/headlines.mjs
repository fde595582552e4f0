// @ts-check

/** @import { Row } from './results.mjs' */

/** The rows that the README shows, by area and name: what a user would ask about first. */
const HEADLINES = [
  ['core', 'validateFields, 1,024 different agents of 6 fields'],
  ['core', 'validateFields, two errors with messages in 1,024 different agents'],
  ['sqlite', '64 callers create durably at once'],
  ['sqlite', 'get by id'],
  ['sqlite', 'two-word search in 100,000'],
  ['fs', '64 callers create durably at once'],
  ['postgres', 'createMany of 1,000'],
  ['prompts', 'render 1 KB with five variables'],
  ['skills', 'spawned no-op executions without persistence'],
  ['colony', 'a mission of 1,000 no-op tasks on SQLite'],
]

/**
 * The first row of each name.
 *
 * @param {readonly Row[]} rows
 * @returns {Row[]}
 */
export const headlines = (rows) =>
  HEADLINES.flatMap(([area, name]) => rows.find((row) => row.area === area && row.name === name) ?? [])
