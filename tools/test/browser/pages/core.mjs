// @ts-check
import {
  createMinion,
  defineType,
  Minions,
  RelationGraph,
  TypedEmitter,
  updateMinion,
  validateFields,
} from '@minions/core'
import { runExecutable } from '@minions/core/execution'
import { memoryStorage } from '@minions/core/memory'
import { TypeRegistry } from '@minions/core/types'
import { toDot, toMermaid } from '@minions/exporters'
import { refusal } from '../refusal.mjs'

const ticketType = defineType({
  id: 'ticket-type',
  name: 'Ticket',
  slug: 'ticket',
  schema: [
    { name: 'code', type: 'string', required: true, validation: { pattern: '^[A-Z]{2,4}-\\d+$' } },
    { name: 'mail', type: 'email' },
    { name: 'state', type: 'select', options: ['open', 'closed'], defaultValue: 'open' },
    { name: 'due', type: 'date' },
  ],
})

export async function observe() {
  const { minion, validation } = createMinion(
    { title: 'First', fields: { code: 'AB-1', mail: 'a@example.org' } },
    ticketType,
  )
  const updated = updateMinion(minion, { fields: { state: 'closed' } }, ticketType)
  const rejected = updateMinion(minion, { fields: { code: 'nope', state: /** @type {'open'} */ ('lost') } }, ticketType)
  const hostile = validateFields({ x: `${'a'.repeat(50_000)}!` }, [
    { name: 'x', type: 'string', validation: { pattern: '^(a+)+$' } },
  ])

  const graph = new RelationGraph()
  graph.add({ sourceId: minion.id, targetId: 'b', type: 'parent_of' })
  graph.add({ sourceId: 'b', targetId: 'c', type: 'parent_of' })

  /** @type {string[]} */
  const events = []
  /** @type {TypedEmitter<{ saved: string }>} */
  const emitter = new TypedEmitter()
  emitter.on('saved', (title) => events.push(title))
  emitter.emit('saved', minion.title)

  const diagram = { nodes: [{ id: minion.id, label: '"x"' }], edges: [{ from: minion.id, to: 'b' }] }
  const result = await runExecutable({ execute: async () => Promise.reject(new Error('no network')) })
  return {
    created: { valid: validation.valid, fields: minion.fields, status: minion.status },
    id: /^[0-9a-f-]{36}$/.test(minion.id),
    updated: { valid: updated.validation.valid, fields: updated.minion.fields },
    rejected: rejected.validation.errors.map(({ field }) => field),
    hostile: hostile.valid,
    registered: await refusal(() => new TypeRegistry().register({ ...ticketType, slug: 'note' })),
    tree: graph.getTree(minion.id),
    cycles: graph.findCycles('parent_of'),
    events,
    execution: [result.status, result.error],
    mermaid: toMermaid(diagram),
    dot: toDot(diagram),
    stored: await useClient(),
  }
}

async function useClient() {
  const client = await Minions.open({ storage: memoryStorage(), types: [ticketType] })
  const first = await client.create(ticketType, { title: 'First', fields: { code: 'AB-1' } })
  await client.create(ticketType, { title: 'Second', fields: { code: 'AB-2', state: 'closed' } })
  await client.update(first.id, { fields: { state: 'closed' } })
  const refused = await refusal(() => client.create(ticketType, { title: 'Third', fields: { code: 'nope' } }))
  const { items } = await client.find({ where: { 'fields.state': 'closed' }, orderBy: [{ field: 'title' }] })
  await client.close()
  return { refused, titles: items.map(({ title }) => title) }
}

export const expected = {
  created: { valid: true, status: 'active', fields: { code: 'AB-1', mail: 'a@example.org', state: 'open' } },
  id: true,
  updated: { valid: true, fields: { code: 'AB-1', mail: 'a@example.org', state: 'closed' } },
  rejected: ['code', 'state'],
  hostile: false,
  registered: 'ALREADY_REGISTERED',
  tree: ['b', 'c'],
  cycles: [],
  events: ['First'],
  execution: ['failed', 'no network'],
  mermaid: 'flowchart TB\n  n0["#quot;x#quot;"]\n  n1["b"]\n  n0 --> n1\n',
  dot: 'digraph {\n  rankdir=TB\n  node [shape=box]\n  n0 [label="\\"x\\""]\n  n1 [label="b"]\n  n0 -> n1\n}\n',
  stored: { refused: 'VALIDATION_FAILED', titles: ['First', 'Second'] },
}
