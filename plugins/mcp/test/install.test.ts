import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGENTS, changedLines, configurationFile, type InstallRequest, planInstall } from '../src/install/index.ts'

const environment = { home: '/home/ada', project: '/work', platform: 'linux' } as const

const entry = { command: 'node', args: ['minions.js', 'mcp'] }

const request: InstallRequest = { agent: 'cursor', scope: 'user', name: 'minions', entry, environment }

describe('planInstall', () => {
  it.each(Object.keys(AGENTS))('creates the configuration of %s', (agent) => {
    const { file, text, replaces } = planInstall({ ...request, agent }, undefined)
    expect(file.startsWith('/home/ada/')).toBe(true)
    expect(replaces).toBe(false)
    const key = agent === 'vscode' ? 'servers' : 'mcpServers'
    expect(JSON.parse(text)).toEqual({ [key]: { minions: { ...(agent === 'vscode' && { type: 'stdio' }), ...entry } } })
  })

  it('keeps everything else, comments included', () => {
    const before =
      '{\n    // mine\n    "theme":   "dark",\n    "mcpServers": {\n        "other": { "command": "x" }, // stays\n    },\n}\n'
    const { text } = planInstall({ ...request, agent: 'vscode' }, before)
    for (const part of ['    // mine\n    "theme":   "dark",', '        "other": { "command": "x" }, // stays']) {
      expect(text).toContain(part)
    }
    expect(changedLines(before, text).every((line) => line.startsWith('+') || /^- *[\s}]*,?$/.test(line))).toBe(true)
  })

  it('replaces an entry of the same name, and changes nothing the second time', () => {
    const once = planInstall(request, '{"mcpServers":{"minions":{"command":"old"},"b":{"command":"y"}}}')
    expect(once.replaces).toBe(true)
    expect(JSON.parse(once.text)).toEqual({ mcpServers: { minions: entry, b: { command: 'y' } } })
    expect(planInstall(request, once.text).text).toBe(once.text)
  })

  it('refuses what it cannot merge into, and agents that it does not know', () => {
    expect(() => planInstall(request, '{ "mcpServers": ')).toThrow(/line 1/)
    expect(() => planInstall(request, '[]')).toThrow(/object/)
    expect(() => planInstall(request, '{"mcpServers": 5}')).toThrow(/not an object/)
    expect(() => planInstall({ ...request, agent: 'nobody' }, undefined)).toThrow(/claude-code/)
    expect(() => configurationFile({ agent: 'windsurf', scope: 'project', environment })).toThrow(/--project/)
  })

  it('loses nothing of any configuration', () => {
    const servers = fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.jsonValue().filter((value) => value !== null),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), servers, fc.boolean(), (others, existing, isPretty) => {
        const before = { ...others, mcpServers: existing }
        const { text } = planInstall(request, JSON.stringify(before, null, isPretty ? 2 : 0))
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify({ ...before, mcpServers: { ...existing, minions: entry } })),
        )
      }),
    )
  })
})
