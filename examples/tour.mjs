// @ts-check
// A tour of @minions/core, printed as it goes: `node examples/tour.mjs`, after `npm start` or `npm run build`.
import { createMinion, defineType, RelationGraph, restoreMinion, softDelete, updateMinion } from '@minions/core'
import { migrateMinion, planMigration } from '@minions/core/evolution'
import { runExecutable } from '@minions/core/execution'
import { agentType, TypeRegistry, taskType } from '@minions/core/types'
import { toMermaid } from '@minions/exporters'

/** @param {string} title @param {string} text */
const chapter = (title, text) => console.log(`\n\n── ${title} ${'─'.repeat(Math.max(0, 76 - title.length))}\n${text}\n`)
/** @param {unknown} value */
const show = (value) => console.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2))

chapter('1. A type', 'A type says which fields its objects have. You define it as data; TypeScript knows the fields.')
const bookType = defineType({
  id: 'book',
  name: 'Book',
  slug: 'book',
  schema: [
    { name: 'author', type: 'string', required: true },
    { name: 'year', type: 'number', validation: { min: 1450 } },
    { name: 'status', type: 'select', options: ['wanted', 'reading', 'read'], defaultValue: 'wanted' },
    { name: 'topics', type: 'tags' },
  ],
})
const registry = new TypeRegistry()
registry.register(bookType)
show(
  `Registered types: ${registry
    .list()
    .map((type) => type.slug)
    .join(', ')}`,
)

chapter(
  '2. A minion',
  'A minion is one object of a type. Id, timestamps, defaults and searchable text come by themselves.',
)
const { minion: book } = createMinion(
  { title: 'The Mythical Man-Month', fields: { author: 'Fred Brooks', year: 1975, topics: ['teams', 'planning'] } },
  bookType,
)
show(book)

chapter('3. Mistakes', 'Nothing throws and nothing is dropped: every problem is reported at once, and you decide.')
/** @type {any} Input from outside, which the compiler has not seen. */
const hostile = { title: 'A scroll', fields: { year: 1200, status: 'lost', topics: 'none' } }
for (const error of createMinion(hostile, bookType).validation.errors)
  show(`${error.field}: ${error.code}: ${error.message}`)

chapter('4. A life', 'Changes give a new object and never alter the old one. Deleting is soft, so it can be undone.')
const { minion: reading } = updateMinion(book, { fields: { status: 'reading' } }, bookType)
const deleted = softDelete(reading, 'you')
show({
  before: book.fields.status,
  after: reading.fields.status,
  deletedBy: deleted.deletedBy,
  back: restoreMinion(deleted).status,
})

chapter(
  '5. Relations',
  'Typed relations make a graph out of minions. Look-ups cost what they touch, however large it is.',
)
const { minion: agent } = createMinion({ title: 'Librarian', fields: { role: 'Finds books' } }, agentType)
const { minion: plan } = createMinion({ title: 'Write a summary', fields: {} }, taskType)
const { minion: read } = createMinion({ title: 'Read the book', fields: {} }, taskType)
const minions = [agent, plan, read, reading]
const graph = new RelationGraph()
graph.add({ sourceId: agent.id, targetId: plan.id, type: 'parent_of' })
graph.add({ sourceId: agent.id, targetId: read.id, type: 'parent_of' })
graph.add({ sourceId: plan.id, targetId: read.id, type: 'depends_on' })
graph.add({ sourceId: read.id, targetId: reading.id, type: 'references' })
/** @param {string} id */
const titleOf = (id) => minions.find((minion) => minion.id === id)?.title ?? id
show(`Below the librarian: ${graph.getTree(agent.id).map(titleOf).join(', ')}`)
show(`From librarian to book: ${graph.path(agent.id, reading.id)?.map(titleOf).join(' -> ')}`)
show(`Order of work: ${graph.topologicalOrder('depends_on').map(titleOf).join(', ')}`)

chapter('6. A picture', 'The same graph as Mermaid, for any Markdown viewer.')
show(
  toMermaid({
    nodes: minions.map(({ id, title }) => ({ id, label: title })),
    edges: graph.list().map(({ sourceId, targetId, type }) => ({ from: sourceId, to: targetId, label: type })),
  }),
)

chapter(
  '7. Evolution',
  'A schema changes; values that no longer fit move to _legacy instead of being lost. Plan first.',
)
const newSchema = [
  { name: 'author', type: /** @type {const} */ ('string'), required: true },
  { name: 'year', type: /** @type {const} */ ('string') },
  { name: 'shelf', type: /** @type {const} */ ('string'), required: true },
]
show(planMigration([reading], bookType.schema, newSchema))
const { fields, _legacy } = migrateMinion(reading, bookType.schema, newSchema)
show({ fields, _legacy })

chapter('8. Execution', 'Whatever is run ends in a result with timestamps, also when it throws.')
const closed = {
  execute: async () => {
    throw new Error('The library is closed.')
  },
}
show(await runExecutable(closed, {}))

console.log('\nEvery package has a README with a snippet that runs. The list is in README.md.')
