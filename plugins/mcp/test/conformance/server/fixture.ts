import { definePlugin, pluginRef } from '@minions/core/plugin'
import { acceptedContent, inputRequired, type PromptMessage, type Tool } from '@modelcontextprotocol/server'
import { type McpFeatures, mcpFeatures } from '../../../src/index.ts'
import { askingTools } from './asking-tools.ts'
import { elicit, embedded, image, PNG, text } from './content.ts'
import { plainTools } from './plain-tools.ts'
import { fixtureTasks, taskTools } from './task-tools.ts'

const tools = { ...plainTools, ...askingTools, ...taskTools }

const listed = Object.entries(tools).map(
  ([name, { inputSchema }]): Tool => ({ name, description: `Fixture ${name}.`, inputSchema }),
)

const prompts: Readonly<Record<string, readonly string[]>> = {
  test_simple_prompt: [],
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
  test_prompt_with_image: [],
  test_input_required_result_prompt: [],
}

function promptContent(name: string, input: Readonly<Record<string, string>>): PromptMessage['content'][] {
  switch (name) {
    case 'test_simple_prompt':
      return [text('This is a simple prompt for testing.')]
    case 'test_prompt_with_arguments':
      return [text(`Prompt with arguments: arg1='${input.arg1}', arg2='${input.arg2}'`)]
    case 'test_prompt_with_embedded_resource':
      return [
        embedded(input.resourceUri ?? '', 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ]
    default:
      return [image, text('Please analyze the image above.')]
  }
}

/** What the official suite expects a server to have. */
const features: McpFeatures = {
  tools: {
    list: () => listed,
    call(name, input, call) {
      const found = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (!found) return undefined
      if (found.needsTasks) call.requireTasks()
      return (async () => found.run(input as Record<string, string | undefined>, call))()
    },
  },
  resources: {
    list: async () => ({
      items: [
        { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
        { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
      ],
    }),
    templates: () => [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    async read(uri) {
      if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
      if (uri === 'test://static-text' || uri === 'test://watched-resource') {
        return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
      }
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
      if (id === undefined) return undefined
      const body = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: body }] }
    },
  },
  prompts: {
    list: async () => ({
      items: Object.entries(prompts).map(([name, names]) => ({
        name,
        description: `Fixture ${name}.`,
        arguments: names.map((each) => ({ name: each, required: true })),
      })),
    }),
    async get(name, input, { request }) {
      if (!Object.hasOwn(prompts, name)) return undefined
      if (name === 'test_input_required_result_prompt') {
        const content = acceptedContent<{ context: string }>(request.mcpReq.inputResponses, 'user_context')
        if (content) return { messages: [{ role: 'user', content: text(`Context: ${content.context}`) }] }
        const user_context = elicit('What context should the prompt use?', { context: { type: 'string' } })
        return inputRequired({ inputRequests: { user_context } })
      }
      return { messages: promptContent(name, input).map((content) => ({ role: 'user', content })) }
    },
    async complete(prompt, argument, value) {
      if (prompt !== 'test_prompt_with_arguments' || argument !== 'arg1') return undefined
      return ['paris', 'park', 'party'].filter((each) => each.startsWith(value))
    },
  },
  tasks: fixtureTasks,
}

const ref = pluginRef<object>()('@minions/mcp-fixture', 'mcpFixture')

/** A plugin with everything that the official suite calls. */
export const fixture = definePlugin({
  ref,
  version: '1.0.0',
  contributes: [[mcpFeatures, [features]]],
  setup: () => ({}),
})
