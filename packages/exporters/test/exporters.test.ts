import { memoryStorage } from '@minions/core/memory'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { describe, expect, it } from 'vitest'
import { exporters, exportFormats, PromptExporter } from '../src/index.js'
import { contentOf, openStore } from './stores.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters()] })

describe('exporters in an app', () => {
  it('draw what minions relate, not what a prompt remembers of itself', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'Greeting', content: 'Hi' })
    const version = await app.prompts.addVersion(prompt.id, { content: 'Hello' })
    await app.prompts.publish(version.id)
    const { edges } = await app.exporters.diagram()
    expect(edges.map(({ from, to, label }) => `${from === to} ${label}`).sort()).toEqual([
      'false follows',
      'false part_of',
      'false references',
    ])
    await app.close()
  })

  it('export by id to every format', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'Greeting', content: 'Hi {{name}}' })
    const version = await app.prompts.addVersion(prompt.id, { content: 'Hello {{name}}', changelog: 'warmer' })
    expect(app.exporters.formats()).toEqual([
      ...['raw', 'langchain', 'llamaindex', 'json', 'openai', 'anthropic', 'ai-sdk'],
      ...['promptfoo', 'langfuse', 'dotprompt', 'mermaid', 'dot'],
    ])
    expect(await app.exporters.export('raw', version.id, { variables: { name: 'Ada' } })).toBe('Hello Ada')
    expect(await app.exporters.toRaw(prompt.id, { name: 'Ada' })).toBe('Hi Ada')
    expect((await app.exporters.export('langchain', prompt.id)).inputVariables).toEqual(['name'])
    expect((await app.exporters.export('llamaindex', prompt.id)).template).toBe('Hi {name}')
    expect((await app.exporters.export('json', version.id)).prompt.id).toBe(prompt.id)
    expect(await app.exporters.export('mermaid', prompt.id)).toBe(await app.exporters.toMermaid(prompt.id))
    expect(await app.exporters.export('dot', prompt.id)).toBe(await app.exporters.toDot(prompt.id))
    await expect(app.exporters.export('pdf', prompt.id)).rejects.toMatchObject({ code: 'FORMAT_UNKNOWN' })
    await expect(app.exporters.toLangChain('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await app.close()
  })

  it('export version 0 of a prompt of which another one is published', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'P', content: 'Hi {{name}}' })
    await app.prompts.addVersion(prompt.id, { content: 'Hello' })
    await app.prompts.publish(prompt.id)
    const first = { prompt: prompt.id, version: 0 }
    expect(await app.exporters.export('raw', prompt.id)).toBe('Hello')
    expect(await app.exporters.export('raw', first, { variables: { name: 'Ada' } })).toBe('Hi Ada')
    expect((await app.exporters.export('langchain', first)).template).toBe('Hi {{name}}')
    expect((await app.exporters.export('llamaindex', first)).template).toBe('Hi {name}')
    await app.close()
  })

  it('take formats from other plugins, each name once', async () => {
    const shouting = (format = 'shout') =>
      definePlugin({
        ref: pluginRef<object>()('shouting', 'shouting'),
        version: '1.0.0',
        contributes: [
          [
            exportFormats,
            [
              { format, export: (prompt) => prompt.fields.content.toUpperCase() },
              { format: 'count', export: async (_prompt, { minions }) => minions.count() },
            ],
          ],
        ],
        setup: () => ({}),
      })
    const app = await createMinions({ storage: memoryStorage(), plugins: [shouting(), prompts(), exporters()] })
    expect(app.exporters.formats()).toEqual(expect.arrayContaining(['shout', 'count', 'raw', 'json']))
    const prompt = await app.prompts.create({ title: 'P', content: 'quiet' })
    expect(await app.exporters.export('shout', prompt.id)).toBe('QUIET')
    expect(await app.exporters.export('count', prompt.id)).toBe(1)
    const inside = await app.transaction(async (tx) => {
      await tx.prompts.create({ title: 'Q', content: 'q' })
      return tx.exporters.export('count', prompt.id)
    })
    expect(inside).toBe(2)
    await expect(app.exporters.export('whisper', prompt.id)).rejects.toMatchObject({ code: 'FORMAT_UNKNOWN' })
    await app.close()
    const opening = (format: string) =>
      createMinions({ storage: memoryStorage(), plugins: [shouting(format), prompts(), exporters()] })
    await expect(opening('raw')).rejects.toMatchObject({ code: 'CONTRIBUTION_CLASH' })
    await expect(opening('')).rejects.toMatchObject({ code: 'CONTRIBUTION_INVALID' })
  })
})

describe('PromptExporter', () => {
  it('works on a minion without a store, and says when it needs one', async () => {
    const exporter = new PromptExporter()
    expect(exporter.toRaw(contentOf('Hi {{name}}'), { name: 'Ada' })).toBe('Hi Ada')
    expect(() => exporter.toRaw('some-id')).toThrow(expect.objectContaining({ code: 'CLIENT_MISSING' }))
    await expect(exporter.toJSON('some-id')).rejects.toMatchObject({ code: 'CLIENT_MISSING' })
  })
})

describe('pictures', () => {
  it('show a version chain', async () => {
    const app = await open()
    const prompt = await app.prompts.create({ title: 'Greeting', content: 'a' })
    const v1 = await app.prompts.addVersion(prompt.id, { content: 'b', changelog: 'warmer "now"' })
    await app.prompts.addVersion(v1.id, { content: 'c' })
    expect(await app.exporters.toMermaid(prompt.id)).toBe(
      [
        'flowchart BT',
        '  n0["Greeting"]',
        '  n1["Greeting v1<br/>warmer #quot;now#quot;"]',
        '  n2["Greeting v2"]',
        '  n1 -->|"follows"| n0',
        '  n2 -->|"follows"| n1',
        '',
      ].join('\n'),
    )
    const dot = await app.exporters.toDot({ chain: v1.id }, { styles: { leaf: { fill: 'gold' } } })
    expect(dot).toContain('n2 -> n1 [label="follows"]')
    expect(dot).toContain('n2 [style=filled fillcolor="gold"]')
    await app.close()
  })

  it('show minions and relations, all or any subset', async () => {
    const { client } = await openStore()
    const { diagramOf } = await import('../src/index.js')
    const [a, b, c] = await client.createMany(
      'note',
      ['a', 'b', 'c'].map((title) => ({ title, fields: { content: title } })),
    )
    if (!a || !b || !c) throw new Error('three notes are made')
    await client.link({ sourceId: a.id, targetId: b.id, type: 'references' })
    await client.link({ sourceId: b.id, targetId: c.id, type: 'blocks' })
    const edges = async (subset: Parameters<typeof diagramOf>[1]) =>
      (await diagramOf(client, subset)).edges.map(({ label }) => label)
    expect(await edges({})).toEqual(['references', 'blocks'])
    expect(await edges({ relationTypes: ['blocks'] })).toEqual(['blocks'])
    expect(await edges({ ids: [a.id, b.id] })).toEqual(['references'])
    expect(await edges({ query: { where: { title: { ne: 'a' } } } })).toEqual(['blocks'])
    const { nodes } = await diagramOf(client, { ids: [a.id] })
    expect(nodes).toEqual([{ id: a.id, label: 'a\nNote', state: 'active' }])
    await client.close()
  })
})
