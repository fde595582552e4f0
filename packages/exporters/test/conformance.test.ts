import { describe, expect, it } from 'vitest'
import { backends, openStore } from './stores.js'

/** The row of the specification's checklist that is about export; the others are in `@minions/prompts`. */
describe.each(backends)('conformance on %s', (_, create) => {
  it('exports to raw, LangChain, LlamaIndex, and JSON formats', async () => {
    const { client, prompts, exporter } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'Hi {{name}}' })
    const version = await prompts.addVersion(prompt.id, { content: 'Hello {{name}} from {{place}}' })
    expect(await exporter.toRaw(version.id, { name: 'Ada', place: 'Paris' })).toBe('Hello Ada from Paris')
    expect(await exporter.toLangChain(version.id)).toEqual({
      template: 'Hello {{name}} from {{place}}',
      inputVariables: ['name', 'place'],
      outputParser: null,
      templateFormat: 'mustache',
    })
    expect(await exporter.toLlamaIndex(version.id)).toEqual({
      template: 'Hello {name} from {place}',
      templateVars: ['name', 'place'],
    })
    const document = await exporter.toJSON(prompt.id)
    expect([document.prompt.id, ...document.versions.map(({ id }) => id)]).toEqual([prompt.id, version.id])
    await client.close()
  })
})
