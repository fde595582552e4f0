import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { SubagentManager, skillTool } from '@minions/skills-runtime'
import { afterEach, expect, it } from 'vitest'
import { createAgent, initWorkspace, type Model, openAiModel, SessionStore, Workspace } from '../src/index.js'
import { temporaryDirectory } from './temporary.js'

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

let server: Server | undefined
let skills: SubagentManager | undefined
afterEach(async () => {
  server?.close()
  await skills?.shutdown()
})

/** What a model does that finds the skill in its context and follows it: one step for each message of a tool. */
const STEPS: readonly object[] = [
  { skill: 'count-words' },
  { skill: 'count-words', parameters: { resource: 'references/rules.md' } },
  { skill: 'count-words--count', parameters: { args: ['one two three'] } },
]

/** A server that speaks the OpenAI chat format, whole or in small pieces. */
async function chatServer(): Promise<{ baseUrl: string; requests: { messages: Message[]; tools: unknown[] }[] }> {
  const requests: { messages: Message[]; tools: unknown[] }[] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const chat = JSON.parse(body) as { messages: Message[]; tools: unknown[]; stream?: boolean }
    requests.push(chat)
    const results = chat.messages.filter(({ role }) => role === 'tool')
    const step = STEPS[results.length]
    const usage = { total_tokens: 10 }
    const call = { id: `c${results.length}`, type: 'function' }
    const name = 'run_skill'
    if (!chat.stream) {
      const message = step
        ? { content: null, tool_calls: [{ ...call, function: { name, arguments: JSON.stringify(step) } }] }
        : { content: `Counted: ${JSON.parse(results.at(-1)?.content ?? '').stdout.trim()}` }
      return void response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', ...message } }], usage }))
    }
    const event = (delta: object) => response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
    if (step) {
      event({ tool_calls: [{ index: 0, ...call, function: { name, arguments: '' } }] })
      for (const piece of JSON.stringify(step).match(/.{1,5}/g) ?? []) {
        event({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
      }
    } else {
      event({ content: 'Counted: ' })
      event({ content: JSON.parse(results.at(-1)?.content ?? '').stdout.trim() })
    }
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

async function workspaceWithSkill(folder: string) {
  const root = await temporaryDirectory()
  await initWorkspace(root)
  const files = {
    'SKILL.md': '---\nname: count-words\ndescription: Counts words.\n---\nRead the rules, then count.\n',
    'references/rules.md': 'Words are separated by spaces.',
    'scripts/count.sh': 'echo "$1" | wc -w\n',
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, folder, 'count-words', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  skills = await SubagentManager.open({ discover: [root] })
  expect(skills.problems).toEqual([])
  return { root, skills, workspace: new Workspace({ name: 'lab', root_path: root }) }
}

it.each([
  ['skills', false],
  ['.agents/skills', true],
  ['.claude/skills', false],
])('a session uses a skill in %s with its reference and its script', async (folder, stream) => {
  const { baseUrl, requests } = await chatServer()
  const { root, skills, workspace } = await workspaceWithSkill(folder)
  const agent = createAgent('Assistant', {
    model: openAiModel({ baseUrl, model: 'test', stream }),
    tools: [skillTool(skills)],
  })
  agent.setContext(workspace)
  const { reply, usage, sessionId } = await agent.run('How many words?')
  expect({ reply, usage }).toEqual({ reply: 'Counted: 3', usage: { total_tokens: 40 } })

  const [system] = requests[0]?.messages ?? []
  expect(system?.content).toContain('- count-words: Counts words.')
  expect(system?.content).not.toContain('Read the rules')
  expect(requests[0]?.tools).toMatchObject([{ type: 'function', function: { name: 'run_skill' } }])
  expect(requests.at(-1)?.messages.slice(2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'c0', function: { name: 'run_skill' } }] },
    { role: 'tool', tool_call_id: 'c0', content: expect.stringContaining('Read the rules, then count.') },
    { role: 'assistant', tool_calls: [{ id: 'c1' }] },
    { role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('separated by spaces') },
    { role: 'assistant', tool_calls: [{ id: 'c2' }] },
    { role: 'tool', tool_call_id: 'c2', content: expect.stringContaining('"exit_code":0') },
  ])
  expect(await skills.executions({ skill_name: 'count-words--count' })).toMatchObject([{ status: 'success' }])

  const store = new SessionStore(root)
  const session = (await store.list()).find(({ id }) => id === sessionId)
  const { messages } = await store.read(session ?? { id: '', path: '' })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'tool', 'tool', 'tool', 'assistant'])
  expect(messages[1]).toMatchObject({ meta: { tool: 'run_skill', arguments: '{"skill":"count-words"}' } })
})

it('tells the model what goes wrong, and ends one that never stops asking', async () => {
  const { skills, workspace } = await workspaceWithSkill('skills')
  const run = async (model: Model, maxToolRounds = 25) => {
    const agent = createAgent('Assistant', { model, tools: [skillTool(skills)], maxToolRounds })
    agent.setContext(workspace)
    return agent.run('hello')
  }
  const told: string[] = []
  const wishes = [
    { name: 'run_skill', arguments: '{"skill":' },
    { name: 'run_skill', arguments: {} },
    { name: 'run_skill', arguments: { skill: 'count-words', parameters: { resource: '../../secret' } } },
    { name: 'run_skill', arguments: { skill: 'nothing' } },
    { name: 'other', arguments: {} },
  ]
  const { reply } = await run((messages) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') told.push(JSON.parse(last.content).error.code ?? 'none')
    const wish = wishes[told.length]
    return wish ? { toolCalls: [{ id: 'x', ...wish }] } : 'done'
  })
  expect(reply).toBe('done')
  expect(told).toEqual(['none', 'VALIDATION_FAILED', 'SKILL_FAILED', 'NOT_FOUND', 'NOT_FOUND'])

  let asked = 0
  const endless: Model = () => {
    asked++
    return { text: '', toolCalls: [{ id: 'x', name: 'run_skill', arguments: { skill: 'count-words' } }] }
  }
  await expect(run(endless, 2)).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  expect(asked).toBe(3)
  const wrong: Model = () => ({ toolCalls: [{ id: 'x' } as never] })
  await expect(run(wrong)).rejects.toMatchObject({ code: 'MODEL_FAILED' })
})

it('stops at a tool when the run is cancelled', async () => {
  const { workspace } = await workspaceWithSkill('skills')
  const stop = new AbortController()
  const wait = {
    name: 'wait',
    description: 'Waits.',
    parameters: { type: 'object' },
    run: () => {
      stop.abort(new Error('enough'))
      throw new Error('stopped')
    },
  }
  const agent = createAgent('Assistant', {
    model: () => ({ toolCalls: [{ id: 'x', name: 'wait', arguments: {} }] }),
    tools: [wait],
  })
  agent.setContext(workspace)
  await expect(agent.run('hello', { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' })
})
