import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BIN, Minions } from './support/minions.js'

function environment(minions: Minions): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', MINIONS_HOME: minions.home }
}

/** An official client that has started `minions mcp`. */
async function connected(minions: Minions, mode: 'legacy' | { pin: string }, args: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    env: environment(minions),
    cwd: minions.home,
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

describe.each(['legacy', { pin: '2026-07-28' }] as const)('minions mcp, negotiated as %j', (mode) => {
  it('serves the store that other commands use, and tells of what they change', async () => {
    const minions = new Minions()
    const { id } = await minions.json(['create', 'note', '--title', 'Plants', '--content', 'Water them.'])
    const client = await connected(minions, mode, ['--access', 'write'])
    const got = await client.callTool({ name: 'objects_get', arguments: { id } })
    expect(got.structuredContent).toMatchObject({ title: 'Plants' })
    const uri = `minions://objects/${id}`
    const told = new Promise<string>((resolve) =>
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
    )
    if (mode === 'legacy') await client.subscribeResource({ uri })
    else await client.listen({ resourceSubscriptions: [uri] })
    await minions.here(['update', id, '--title', 'Herbs'])
    expect(await told).toBe(uri)
    const created = await client.callTool({
      name: 'objects_create',
      arguments: { type: 'note', title: 'By an agent', fields: { content: 'x' } },
    })
    expect(await minions.json(['get', (created.structuredContent as { id: string }).id])).toMatchObject({
      createdBy: 'local',
    })
  })
})

it('offers the tools that --tools chooses, and refuses what is not a choice', async () => {
  const minions = new Minions()
  const client = await connected(minions, 'legacy', ['--tools', 'prompts.list,objects.find'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(['objects_find', 'prompts_list'])
  const refused = await minions.here(['mcp', '--tools', 'Not A Tool'])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('objects.find') })
  const unknown = await minions.here(['mcp', '--access', 'everything'])
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('approve') })
})

describe('bad input', () => {
  /** Sends lines to `minions mcp`, and ends them once the last request was answered. */
  async function answersTo(lines: readonly string[], last: number) {
    const minions = new Minions()
    const child = spawn(process.execPath, [BIN, 'mcp'], { env: environment(minions), cwd: minions.home })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (output.includes(`"id":${last}`)) child.stdin.end()
    })
    child.stdin.on('error', () => undefined)
    for (const line of lines) child.stdin.write(`${line}\n`)
    const [code] = await once(child, 'close')
    const messages = output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: unknown; error?: { code: number } })
    return { code, messages }
  }

  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  })

  it('is answered by the protocol, and the process ends with its client', async () => {
    const { code, messages } = await answersTo(
      [
        'not json at all',
        initialize,
        '{"jsonrpc":"2.0","id":2,"method":"no/such/method"}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}',
        '{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{}}',
        '{"jsonrpc":"1.0","id":5}',
        '{"jsonrpc":"2.0","id":99,"result":{}}',
        '{"jsonrpc":"2.0","method":"notifications/unheard-of"}',
        '{"jsonrpc":"2.0","id":6,"method":"ping"}',
      ],
      6,
    )
    const byId = new Map(messages.map((message) => [message.id, message]))
    expect(byId.get(2)?.error?.code).toBe(-32601)
    expect(byId.get(3)?.error?.code).toBe(-32602)
    expect(byId.get(4)?.error?.code).toBeLessThan(0)
    expect(byId.get(6)).toMatchObject({ result: {} })
    expect(code).toBe(0)
  })

  it('of a revision that does not exist is refused or answered with one that does', async () => {
    const old = initialize.replace('2025-11-25', '1999-01-01')
    const { messages } = await answersTo([old], 1)
    expect(messages).toEqual([
      expect.objectContaining({ result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
    ])
  })

  it('too large for a message ends the connection', async () => {
    const { code, messages } = await answersTo(
      [initialize, `{"jsonrpc":"2.0","id":2,"x":"${'a'.repeat(18 * 1024 * 1024)}"}`],
      2,
    )
    expect(messages.filter(({ id }) => id === 2)).toEqual([])
    expect(code).toBe(0)
  })
})

describe('minions mcp install', () => {
  it('shows the change, asks, merges it and keeps what is there; the entry starts a server', async () => {
    const minions = new Minions()
    const file = join(minions.home, '.cursor', 'mcp.json')
    mkdirSync(dirname(file))
    const before = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'
    writeFileSync(file, before)
    const env = { HOME: minions.home }
    const refused = await minions.here(['mcp', 'install', 'cursor', '--project'], { env, input: 'no\n' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('+ ') })
    expect(readFileSync(file, 'utf8')).toBe(before)
    await minions.here(['mcp', 'install', 'cursor', '--project', '--tools', 'objects.count', '--yes'], { env })
    const after = readFileSync(file, 'utf8')
    expect(after).toContain('// mine')
    const { mcpServers } = JSON.parse(after.replace('// mine', '')) as {
      mcpServers: { other: object; minions: { command: string; args: string[]; env: Record<string, string> } }
    }
    expect(mcpServers.other).toEqual({ command: 'x' })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ ...mcpServers.minions, stderr: 'pipe' }))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['objects_count'])
    const again = await minions.here(['mcp', 'install', 'cursor', '--project', '--tools', 'objects.count'], { env })
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('already') })
    const unknown = await minions.here(['mcp', 'install', 'nobody'], { env })
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('claude-code') })
  })

  it('names a store by its absolute path, however its URL was written', async () => {
    const minions = new Minions()
    mkdirSync(join(minions.home, '.cursor'))
    const paths = ['sqlite:store.db', 'sqlite:./store.db', 'fs:data'] as const
    for (const url of paths) {
      const args = ['mcp', 'install', 'cursor', '--project', '--storage', url, '--yes']
      await minions.here(args, { env: { HOME: minions.home } })
      const { mcpServers } = JSON.parse(readFileSync(join(minions.home, '.cursor', 'mcp.json'), 'utf8')) as {
        mcpServers: { minions: { args: string[] } }
      }
      const stored = mcpServers.minions.args.at(-1)
      expect(stored).toBe(`${url.split(':')[0]}:${join(minions.home, url === 'fs:data' ? 'data' : 'store.db')}`)
    }
  })
})
