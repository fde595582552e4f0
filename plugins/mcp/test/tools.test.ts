import { countTokens } from 'gpt-tokenizer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type OpenApp, openApp, REVISIONS } from './support/open-app.ts'

let app: OpenApp

beforeEach(async () => {
  app = await openApp()
})

afterEach(() => app.close())

describe.each(REVISIONS)('tools in revision %s', (revision) => {
  it('are operations with schemas, annotations and structured content', async () => {
    const { id } = await app.create('note', { title: 'Plants', fields: { content: 'Water them.' } })
    const client = await connect(app, { revision })
    const { tools } = await client.listTools()
    const get = tools.find(({ name }) => name === 'objects_get')
    expect(get).toMatchObject({
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    })
    const result = await client.callTool({ name: 'objects_get', arguments: { id } })
    expect(result.structuredContent).toMatchObject({ id, title: 'Plants' })
    expect(result.isError).toBeUndefined()
    await client.close()
  })

  it('give results that are not objects', async () => {
    const client = await connect(app, { revision, query: 'tools=prompts.lint,prompts.create&access=write' })
    await client.callTool({ name: 'prompts_create', arguments: { title: 'Greeting', content: 'Hello {{name}}!' } })
    await client.listTools()
    const result = await client.callTool({ name: 'prompts_lint', arguments: { prompt: 'Greeting' } })
    const list = [{ rule: 'undeclared-variable' }, { rule: 'missing-test' }]
    expect(result.structuredContent).toMatchObject(revision === '2025-11-25' ? { result: list } : list)
    await client.close()
  })

  it('are refused by the model’s mistakes with code and remedy', async () => {
    const client = await connect(app, { revision })
    const wrong = await client.callTool({ name: 'objects_get', arguments: { idd: 'x' } })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^VALIDATION_FAILED: /) }] })
    const missing = await client.callTool({ name: 'objects_get', arguments: { id: 'nobody' } })
    expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^NOT_FOUND: /) }] })
    await expect(client.callTool({ name: 'nothing_there', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it('only read unless the address asks for more, whatever the key permits', async () => {
    const reader = await connect(app, { revision })
    const { tools } = await reader.listTools()
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const input = { type: 'note', title: 'New' }
    await expect(reader.callTool({ name: 'objects_create', arguments: input })).rejects.toMatchObject({ code: -32602 })
    const through = await reader.callTool({
      name: 'operations_read',
      arguments: { operation: 'objects.create', input },
    })
    expect(through.isError).toBe(true)
    await reader.close()

    const writer = await connect(app, { revision, query: 'access=write' })
    const created = await writer.callTool({ name: 'objects_create', arguments: { ...input, fields: { content: 'x' } } })
    expect(created.structuredContent).toMatchObject({ title: 'New', createdBy: 'ada' })
    await writer.close()

    const weak = await connect(app, { revision, query: 'access=write', scopes: ['read'] })
    await expect(weak.callTool({ name: 'objects_create', arguments: input })).rejects.toMatchObject({ code: -32602 })
    await weak.close()
  })

  it('without one of their own are found by words and run', async () => {
    const client = await connect(app, { revision })
    const found = await client.callTool({ name: 'operations_search', arguments: { query: 'shortest chain' } })
    const { operations } = found.structuredContent as { operations: { name: string; input: object }[] }
    expect(operations[0]).toMatchObject({ name: 'relations.path', input: { type: 'object' } })
    const counted = await client.callTool({
      name: 'operations_read',
      arguments: { operation: 'types.jsonSchema', input: { type: 'note' } },
    })
    expect(counted.structuredContent).toMatchObject({ result: { type: 'object' } })
    await client.close()
  })

  it('of a profile are those that it names, and nothing else is reached', async () => {
    const client = await connect(app, { revision, query: 'tools=prompts.*,objects.find' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('objects_find')
    expect(tools.every(({ name }) => name === 'objects_find' || name.startsWith('prompts_'))).toBe(true)
    await expect(client.callTool({ name: 'objects_count', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it('say how far they are, and end when they are cancelled', async () => {
    const client = await connect(app, { revision, query: 'access=write' })
    const told: number[] = []
    const { exampleMission } = await import('@minions/colony')
    const done = await client.callTool(
      { name: 'missions_run', arguments: { envelope: exampleMission.envelope } },
      { onprogress: ({ progress }) => told.push(progress) },
    )
    expect(done.structuredContent).toMatchObject({ status: 'completed' })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))

    const stop = new AbortController()
    const waiting = client.callTool(
      { name: 'changes_list', arguments: { since: 'now', wait: 60_000 } },
      { signal: stop.signal },
    )
    setTimeout(() => stop.abort(), 50)
    await expect(waiting).rejects.toThrow()
    await client.close()
  })
})

it('refuses profiles that are not ones', async () => {
  await expect(connect(app, { query: 'tools=Bad%20Name' })).rejects.toThrow()
  await expect(connect(app, { query: 'access=everything' })).rejects.toThrow()
  await expect(openApp({ tools: ['no pattern'] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

describe('the default list', () => {
  it.each([undefined, 'access=write'])('has at most 25 tools and 8,000 tokens (%s)', async (query = '') => {
    const client = await connect(app, { query })
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(15)
    expect(tools.length).toBeLessThanOrEqual(25)
    expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(8000)
    await client.close()
  })
})
