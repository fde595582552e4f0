/** What the browser test runs inside the page. It uses core as a web application would and notes what it sees. */
import {
  createMinion,
  defineType,
  isMinionsError,
  RelationGraph,
  runExecutable,
  TypedEmitter,
  TypeRegistry,
  toDot,
  toMermaid,
  updateMinion,
  validateFields,
} from '../../src/index.js'

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

async function observe() {
  const { minion, validation } = createMinion(
    { title: 'First', fields: { code: 'AB-1', mail: 'a@example.org' } },
    ticketType,
  )
  const updated = updateMinion(minion, { fields: { state: 'closed' } }, ticketType)
  const rejected = updateMinion(minion, { fields: { code: 'nope', state: 'lost' as 'open' } }, ticketType)
  const hostile = validateFields({ x: `${'a'.repeat(50_000)}!` }, [
    { name: 'x', type: 'string', validation: { pattern: '^(a+)+$' } },
  ])

  const graph = new RelationGraph()
  graph.add({ sourceId: minion.id, targetId: 'b', type: 'parent_of' })
  graph.add({ sourceId: 'b', targetId: 'c', type: 'parent_of' })

  const events: string[] = []
  const emitter = new TypedEmitter<{ saved: string }>()
  emitter.on('saved', (title) => events.push(title))
  emitter.emit('saved', minion.title)

  const diagram = { nodes: [{ id: minion.id, label: '"x"' }], edges: [{ from: minion.id, to: 'b' }] }
  const result = await runExecutable({ execute: async () => Promise.reject(new Error('no network')) })
  return {
    created: { valid: validation.valid, fields: minion.fields, id: minion.id, status: minion.status },
    updated: { valid: updated.validation.valid, fields: updated.minion.fields },
    rejected: rejected.validation.errors.map(({ field, code }) => `${field} ${code}`),
    hostile: hostile.valid,
    registered: refusal(() => new TypeRegistry().register({ ...ticketType, slug: 'note' })),
    tree: graph.getTree(minion.id),
    cycles: graph.findCycles('parent_of'),
    events,
    execution: [result.status, result.error],
    mermaid: toMermaid(diagram),
    dot: toDot(diagram),
    codeGeneration: refusal(() => new Function('return 1')()),
  }
}

function refusal(action: () => unknown): string {
  try {
    action()
    return 'nothing was thrown'
  } catch (error) {
    return isMinionsError(error) ? error.code : (error as Error).name
  }
}

export type Observations = Awaited<ReturnType<typeof observe>>

observe().then(
  (observations) => Object.assign(globalThis, { observations }),
  (error: unknown) => Object.assign(globalThis, { observations: { error: String((error as Error).stack) } }),
)
