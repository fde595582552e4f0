// @ts-check

/**
 * Counts what goes through node-postgres, whoever uses it.
 *
 * @param {NodeJS.Require} require finds the `pg` that is counted
 * @returns {() => number} how many queries there were so far
 */
export function countQueries(require) {
  /** @type {{ Client: { prototype: { query: (...args: unknown[]) => unknown } } }} */
  const { Client } = require('pg')
  const { query } = Client.prototype
  let count = 0
  Client.prototype.query = function (/** @type {unknown[]} */ ...args) {
    count += 1
    return query.apply(this, args)
  }
  return () => count
}
