// @ts-check
import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { diagramOf, PromptExporter, toMermaid } from '@minions/exporters'
import { PromptsApi, promptPluginTypes } from '@minions/prompts'
import { refusal } from '../refusal.mjs'

export async function observe() {
  const client = await Minions.open({ storage: memoryStorage(), types: promptPluginTypes })
  const prompts = new PromptsApi(client)
  const prompt = await prompts.create({ title: 'Greeting', content: 'Hi {{name}}.' })
  await prompts.addVersion(prompt.id, { content: 'Good day, {{name}}!', changelog: 'More polite' })
  const exporter = new PromptExporter(client)
  const document = await exporter.toJSON(prompt.id)

  const other = await Minions.open({ storage: memoryStorage(), types: promptPluginTypes })
  await new PromptExporter(other).importJSON(JSON.stringify(document))
  const seen = {
    raw: await exporter.toRaw(prompt.id, { name: 'Ada' }),
    langchain: (await exporter.toLangChain(prompt.id)).template,
    llamaindex: (await exporter.toLlamaIndex(prompt.id)).template,
    imported: (await new PromptsApi(other).history(prompt.id)).map(({ fields }) => fields.content),
    refused: await refusal(() => new PromptExporter(other).importJSON('{}')),
    mermaid: toMermaid(await diagramOf(client, { chain: prompt.id })),
  }
  await client.close()
  await other.close()
  return seen
}

export const expected = {
  raw: 'Hi Ada.',
  langchain: 'Hi {{name}}.',
  llamaindex: 'Hi {name}.',
  imported: ['Hi {{name}}.', 'Good day, {{name}}!'],
  refused: 'IMPORT_INVALID',
  mermaid: 'flowchart BT\n  n0["Greeting"]\n  n1["Greeting v1<br/>More polite"]\n  n1 -->|"follows"| n0\n',
}
