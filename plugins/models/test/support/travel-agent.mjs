// @ts-check
import { agent } from '@minions/models/agents'
import { defineSkill } from '@minions/skills-runtime'

/** An agent with two skills that have effects outside: they pass their idempotency key on, as a payment would. @param {string} ledger */
export function travelAgent(ledger) {
  const effect = (/** @type {string} */ name) =>
    defineSkill({
      name,
      version: '1.0.0',
      parameters_schema: { type: 'object', properties: { what: { type: 'string' } } },
      async execute({ what }, { idempotencyKey, signal }) {
        const body = JSON.stringify({ name, what, key: idempotencyKey })
        const response = await fetch(ledger, { method: 'POST', body, signal })
        return { confirmation: await response.text() }
      },
    })
  return agent({ name: 'travel', prompt: 'You book journeys.', skills: [effect('book'), effect('pay')] })
}
