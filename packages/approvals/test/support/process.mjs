// @ts-check
// A process of its own on built packages: decides on approvals as fast as it can, or does a call that needs one.

import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { approvals } from '@minions/approvals'
import { createMinions } from '@minions/host'

const { storage, name, ids, effects, hold, use } = JSON.parse(process.argv[2] ?? '')
/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)
const rules = [{ name: 'ask', action: /** @type {const} */ ('ask') }]
const app = await createMinions({ storage, plugins: [approvals({ rules })] })
say('ready')

if (ids) {
  await once(process.stdin, 'data')
  /** @type {object[]} */
  const outcomes = new Array(ids.length)
  let next = 0
  const decide = async () => {
    while (next < ids.length) {
      const index = next++
      outcomes[index] = await app.approvals.approve(ids[index], { by: name }).then(
        () => ({ won: true }),
        (error) => ({ code: error.code, decidedBy: error.details?.decidedBy }),
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, decide))
  say(JSON.stringify(outcomes))
} else {
  const call = /** @type {const} */ ({
    kind: 'tool',
    name: 'pay',
    arguments: { amount: 5 },
    by: 'agent',
    use,
  })
  await app.approvals.clear(call, { onWaiting: (id) => say(`waiting ${id}`) })
  say('cleared')
  if (hold) setInterval(() => {}, 1000)
  else appendFileSync(effects, 'paid\n')
}
if (!hold) {
  await app.close()
  process.stdin.destroy()
}
