// @ts-check
// Opens an app on a store that was written without the index: `node child.mjs <store>`. Prints a dot for each call of the
// backend inside a transaction, so that it can be killed at any of them.
import { argv, exit, stdout } from 'node:process'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { sqliteStorage } from '@minions/storage-sqlite'

const [, , path = ''] = argv

/**
 * @template {object} T
 * @param {T} target
 * @returns {T}
 */
const dotted = (target) =>
  new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      /** @param {unknown[]} args */
      return async (...args) => {
        // Writing waits here, so that a kill can come between any two calls.
        await new Promise((resolve) => stdout.write('.', resolve))
        return Reflect.apply(value, target, args)
      }
    },
  })

const backend = sqliteStorage({ path, synchronous: 'off' })
const { transaction } = backend
backend.transaction = (work) => transaction.call(backend, (tx) => work(dotted(tx)))
const app = await createMinions({ storage: backend, plugins: [prompts()] })
await app.close()
exit(0)
