import { memoryStorage } from '@minions/core/memory'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exporters } from '../src/index.js'
import { exporterOperations } from '../src/operations/exporter-operations.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters()] })

const examples = exporterOperations.flatMap(({ name, examples = [] }) =>
  examples.map((example) => ({ name, ...example })),
)

it.each(examples)('$name: $title', async ({ name, given = [], input }) => {
  const app = await open()
  for (const [operation, before] of given) await runOperation(app, operation, before)
  await runOperation(app, name, input)
  await app.close()
})

describe('operations', () => {
  let app: Awaited<ReturnType<typeof open>>

  beforeEach(async () => {
    app = await open()
    await app.prompts.create({ id: 'greeting', title: 'Greeting', content: 'Hello {{name}}!' })
    await app.prompts.addVersion('greeting', { id: 'formal', content: 'Good day, {{name}}.' })
  })

  afterEach(() => app.close())

  it('export prompts by title, objects as they are and text with its format', async () => {
    const run = (input: object) => runOperation(app, 'prompts.export', { prompt: 'Greeting', ...input })
    expect(await run({})).toEqual(await app.exporters.toJSON('greeting'))
    expect(await run({ format: 'langchain', version: 1 })).toMatchObject({ template: 'Good day, {{name}}.' })
    expect(await run({ format: 'raw', version: 0, variables: { name: 'Ada' } })).toEqual({
      format: 'raw',
      text: 'Hello Ada!',
    })
    await expect(run({ format: 'paper' })).rejects.toMatchObject({ code: 'FORMAT_UNKNOWN' })
    await expect(run({ prompt: 'Nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('import what they exported into another store, whole or not at all', async () => {
    const document = await runOperation(app, 'prompts.export', { prompt: 'Greeting' })
    const other = await open()
    const imported = await runOperation(other, 'prompts.import', { document })
    expect(imported).toMatchObject({ id: 'greeting', publishedVersion: 0 })
    expect(await runOperation(other, 'prompts.export', { prompt: 'Greeting' })).toEqual(document)
    await expect(runOperation(other, 'prompts.import', { document: {} })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const broken = { ...(document as object), relations: [] }
    const empty = await open()
    await expect(runOperation(empty, 'prompts.import', { document: broken })).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
    })
    expect(await empty.count()).toBe(0)
    await empty.close()
    await other.close()
  })

  it('draw everything, a part, or the versions of a prompt', async () => {
    await app.create('note', { id: 'note', title: 'Note', fields: { content: 'x' } })
    const get = (input: object) => runOperation(app, 'diagrams.get', input)
    expect(await get({})).toEqual(await app.exporters.diagram())
    expect(await get({ type: 'note' })).toEqual({ nodes: [expect.objectContaining({ id: 'note' })], edges: [] })
    expect(await get({ ids: ['formal', 'greeting'], relationTypes: ['follows'] })).toMatchObject({
      edges: [{ from: 'formal', to: 'greeting', label: 'follows' }],
    })
    expect(await get({ chain: 'Greeting' })).toEqual(await app.exporters.diagram('greeting'))
    await expect(get({ ids: ['nobody'] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(get({ relationTypes: ['likes'] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await runOperation(app, 'diagrams.render', { chain: 'Greeting' })).toEqual({
      format: 'mermaid',
      text: await app.exporters.toMermaid('greeting'),
    })
    expect(await runOperation(app, 'diagrams.render', { format: 'dot' })).toEqual({
      format: 'dot',
      text: await app.exporters.toDot(),
    })
  })
})
