import { exampleMission } from '@minions/colony'
import { runOperation } from '@minions/core/operations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type OpenApp, openApp, REVISIONS } from './support/open-app.ts'

let app: OpenApp

beforeEach(async () => {
  app = await openApp()
})

afterEach(() => app.close())

const { tenant_id: tenant, mission_id: mission } = exampleMission.envelope

describe.each(REVISIONS)('in revision %s', (revision) => {
  it('minions, workspaces with their context, and artifacts are resources', async () => {
    const { id } = await app.create('note', { title: 'Plants', fields: { content: 'Water them.' } })
    await runOperation(app, 'workspaces.add', { name: 'research', sample: true })
    await runOperation(app, 'missions.run', { envelope: exampleMission.envelope }, { tenant })
    const client = await connect(app, { revision, tenant })
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toContain(`minions://objects/${id}`)
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri })
      return (contents[0] as { text: string }).text
    }
    expect(JSON.parse(await read(`minions://objects/${id}`))).toMatchObject({ title: 'Plants' })
    const context = uris.find((uri) => uri.endsWith('/context')) ?? ''
    expect(await read(context)).toContain('research')
    expect(JSON.parse(await read(context.slice(0, -'/context'.length)))).toMatchObject({ name: 'research' })
    const artifacts = uris.filter((uri) => uri.startsWith('minions://artifacts/'))
    expect(artifacts.length).toBeGreaterThan(5)
    for (const uri of artifacts) expect(JSON.parse(await read(uri))).toMatchObject({ mission_id: mission })

    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      expect.arrayContaining(['minions://objects/{id}', 'minions://workspaces/{workspace}/context']),
    )
    const ref = { type: 'ref/resource', uri: 'minions://workspaces/{workspace}' } as const
    const { completion } = await client.complete({ ref, argument: { name: 'workspace', value: 'res' } })
    expect(completion.values).toEqual(['research'])
    const code = -32602
    await expect(client.readResource({ uri: 'minions://objects/nobody' })).rejects.toMatchObject({ code })
    await expect(client.readResource({ uri: 'minions://objects/a/b' })).rejects.toMatchObject({ code })
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toMatchObject({ code })
    await client.close()
  })

  it('resources come in pages, one kind after the other, none twice', async () => {
    for (let number = 0; number < 230; number++)
      await app.create('note', { title: `Note ${number}`, fields: { content: 'x' } })
    await runOperation(app, 'workspaces.add', { name: 'research' })
    const client = await connect(app, { revision })
    const { resources } = await client.listResources()
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(resources.length)
    const own = resources.filter(({ uri }) => uri.startsWith('minions://'))
    expect(own.length).toBe(232)
    await expect(client.listResources({ cursor: 'forged' })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  it('what is published of prompts are prompts, variables their arguments', async () => {
    await runOperation(app, 'prompts.create', {
      title: 'Greeting',
      name: 'crm/greeting',
      content: 'Hello {{name}}, {{count}}!',
    })
    await runOperation(app, 'prompts.setVariable', {
      prompt: 'Greeting',
      name: 'count',
      variableType: 'number',
      example: '42',
    })
    await runOperation(app, 'prompts.addVersion', { prompt: 'Greeting', content: 'Not published {{other}}' })
    const client = await connect(app, { revision })
    const { prompts } = await client.listPrompts()
    expect(prompts).toEqual([
      expect.objectContaining({
        name: 'crm/greeting',
        title: 'Greeting',
        arguments: [
          expect.objectContaining({ name: 'count', required: true }),
          expect.objectContaining({ name: 'name', required: true }),
        ],
      }),
    ])
    const { messages } = await client.getPrompt({ name: 'crm/greeting', arguments: { name: 'Ada', count: '3' } })
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Hello Ada, 3!' } }])
    await expect(client.getPrompt({ name: 'crm/greeting', arguments: { name: 'Ada' } })).rejects.toMatchObject({
      code: -32602,
    })
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    const ref = { type: 'ref/prompt', name: 'crm/greeting' } as const
    const { completion } = await client.complete({ ref, argument: { name: 'count', value: '4' } })
    expect(completion.values).toEqual(['42'])
    await client.close()
  })
})
