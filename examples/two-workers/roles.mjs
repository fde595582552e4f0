// @ts-check
// The roles of the mission. Every process that leads it or works for it loads this module.
import { setTimeout } from 'node:timers/promises'
import { deterministicRoles } from '@minions/colony'

/** @type {import('@minions/colony').Roles} */
const roles = {
  ...deterministicRoles(),
  // Replace this with the real work. It must stop when `signal` is aborted, as it is when the mission is cancelled.
  async worker({ task }, { signal }) {
    await setTimeout(300, undefined, { signal })
    return { output_text: `Proofread: ${task.objective}`, confidence: 0.9 }
  },
}

export default roles
