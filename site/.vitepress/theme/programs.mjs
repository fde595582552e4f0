/** The programs that the playground offers, with what each of them prints among other things. */
export const programs = [
  {
    title: 'Objects: a type of your own',
    prints: ['"year": 1843', 'Notes', 'VALIDATION_FAILED'],
    code: `import { defineType, Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'

const bookType = defineType({
  id: 'book', name: 'Book', slug: 'book',
  schema: [
    { name: 'author', type: 'string', required: true },
    { name: 'year', type: 'number', validation: { min: 1450 } },
  ],
})

const minions = await Minions.open({ storage: memoryStorage(), types: [bookType] })
const book = await minions.create(bookType, { title: 'Notes', fields: { author: 'Ada Lovelace', year: 1843 } })
console.log(book)
console.log((await minions.search('love')).items.map(({ title }) => title))
await minions.create(bookType, { title: 'Too old', fields: { year: 1200 } })
`,
  },
  {
    title: 'Prompts: render a template',
    prints: ['- engines'],
    code: `import { compileTemplate } from '@minions/prompts'

const template = compileTemplate('Dear {{name}},{{#each topics}}\\n- {{this}}{{/each}}')
console.log(template.render({ name: 'Ada', topics: ['engines', 'numbers'] }))
console.log(template.render({}))
`,
  },
  {
    title: 'Contracts: validate an artifact',
    prints: ['mission_id'],
    code: `import { validateArtifact } from '@minions/colony-contracts'

const result = validateArtifact({ schema_name: 'mission_envelope', schema_version: 'v1', goal: 'Find out' })
console.log(result)
`,
  },
]
