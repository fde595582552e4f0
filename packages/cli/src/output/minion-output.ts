import type { Minion, Minions } from '@minions/core'
import { facts, show, table } from './output.js'
import { screen } from './screen.js'
import { styled } from './style.js'
import { displayWidth, wrap } from './width.js'

type Types = Pick<Minions['types'], 'get'>

export function minionTable(minions: readonly Minion[], types: Types): string {
  return table(minions, 'No minions.', {
    id: 'id',
    type: (minion) => typeName(minion, types),
    title: 'title',
    status: ({ status, deletedAt }) => (deletedAt ? 'deleted' : status),
    updated: 'updatedAt',
  })
}

/** Formats one minion: its attributes, then its fields. */
export function minionFacts(minion: Minion, types: Types): string {
  const { id, title, minionTypeId: _type, fields, searchableText: _text, _legacy, ...attributes } = minion
  const parts = [facts({ title, type: typeName(minion, types), id, ...attributes })]
  const entries = Object.entries(fields)
  if (entries.length > 0) parts.push(`\n${entries.map(([name, value]) => fieldText(name, value)).join('\n')}`)
  if (_legacy) parts.push(`\nset aside by evolution\n${facts(_legacy)}`)
  return parts.join('\n')
}

/** The display name of a type; its id only if nothing else is known. */
function typeName({ minionTypeId }: Minion, types: Types): string {
  return types.get(minionTypeId)?.slug ?? minionTypeId
}

function fieldText(name: string, value: unknown): string {
  const label = styled('heading', `${show(name)}:`)
  const { columns = Number.POSITIVE_INFINITY } = screen()
  const isLong = displayWidth(`${label} ${show(value)}`) > columns
  if ((typeof value !== 'string' || !value.includes('\n')) && !isLong) return `${label} ${show(value)}`
  const lines = (typeof value === 'string' ? value.split('\n') : [value]).flatMap((line) =>
    wrap(show(line), columns - 2),
  )
  return [label, ...lines.map((line) => `  ${line}`)].join('\n')
}
