import type { Minion, Minions } from '@minions/core'
import { facts, show, table } from './output.js'

/** How a list of minions looks. */
export function minionTable(minions: readonly Minion[], types: Pick<Minions['types'], 'get'>): string {
  return table(
    minions,
    {
      id: ({ id }) => id,
      type: ({ minionTypeId }) => types.get(minionTypeId)?.slug ?? minionTypeId,
      title: ({ title }) => title,
      status: ({ status, deletedAt }) => (deletedAt ? 'deleted' : status),
      updated: ({ updatedAt }) => updatedAt,
    },
    'No minions.',
  )
}

/** How one minion looks: its attributes, then its fields. */
export function minionFacts(minion: Minion): string {
  const { fields, searchableText: _text, _legacy, ...attributes } = minion
  const parts = [facts(attributes)]
  const entries = Object.entries(fields)
  if (entries.length > 0) parts.push(`\n${entries.map(([name, value]) => fieldText(name, value)).join('\n')}`)
  if (_legacy) parts.push(`\nset aside by evolution\n${facts(_legacy)}`)
  return parts.join('\n')
}

function fieldText(name: string, value: unknown): string {
  if (typeof value !== 'string' || !value.includes('\n')) return `${name}: ${show(value)}`
  const lines = value.split('\n').map((line) => `  ${show(line)}`)
  return `${name}:\n${lines.join('\n')}`
}
