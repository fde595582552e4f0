import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMinions } from '@minions/host'
import { serve } from '@minions/server'
import { loadSkills, skills } from '@minions/skills-runtime'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, it, onTestFinished } from 'vitest'
import { mcp } from '../src/index.ts'
import { connect, openApp, REVISIONS } from './support/open-app.ts'
import { untilConnected } from './support/until-connected.ts'

const FILES: Readonly<Record<string, string | Buffer>> = {
  'SKILL.md':
    '---\nname: letters\ndescription: Writes letters.\nlicense: MIT\nallowed-tools: Read\n---\n\nRead references/tone.md first.\n',
  'references/tone.md': 'Be kind.\n',
  'references/of the (house) – ü.md': 'Dear all.\n',
  'assets/seal.png': Buffer.from([0x89, 0x50, 0xff, 0x00]),
  'scripts/count.py': 'print(1)\n',
}

/** An app with a skill that is a folder. */
async function withFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-skills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(folder, 'letters', path, '..'), { recursive: true })
    writeFileSync(join(folder, 'letters', path), content)
  }
  const app = await openApp()
  onTestFinished(() => app.close())
  const { skills: loaded, problems } = await loadSkills(folder)
  expect(problems).toEqual([])
  app.skills.registry.registerAll(loaded)
  return { app, folder: join(folder, 'letters') }
}

it.each(REVISIONS)('a skill that is a folder is served whole, as it was written, in revision %s', async (revision) => {
  const { app } = await withFolder()
  const client = await connect(app, { revision, scopes: ['read'] })
  onTestFinished(() => client.close())
  const extension = new SkillsClient(client)
  const { skills: listed } = await extension.list()
  const letters = listed.find(({ uri }) => uri === 'skill://letters/SKILL.md')
  if (!letters) throw new Error('There are no letters.')
  expect(letters.frontmatter).toMatchObject({ license: 'MIT', 'allowed-tools': 'Read' })
  for (const [path, content] of Object.entries(FILES)) {
    const { bytes, verified } = await extension.read(letters, path)
    expect([path, Buffer.from(bytes).equals(Buffer.from(content)), verified]).toEqual([path, true, true])
  }
  const { resources } = await extension.readDirectory('skill://letters/references')
  expect(resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['references/tone.md', 'references/of the (house) – ü.md']),
  )
})

it('a file that was changed since the skill was loaded is not served', async () => {
  const { app, folder } = await withFolder()
  const client = await connect(app, { scopes: ['read'] })
  onTestFinished(() => client.close())
  const uri = 'skill://letters/references/tone.md'
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri, mimeType: 'text/markdown', text: 'Be kind.\n' },
  ])
  writeFileSync(join(folder, 'references/tone.md'), 'Be mean.\n')
  await expect(client.readResource({ uri }, { cacheMode: 'refresh' })).rejects.toThrow(/has changed since/)
})

it('another app uses it with its files', async () => {
  const { app } = await withFolder()
  const running = await serve(app, { port: 0, withoutKey: true })
  onTestFinished(() => running.stop())
  const other = await createMinions({
    storage: 'memory:',
    plugins: [skills(), mcp({ servers: { office: { url: `${running.url}/mcp`, skills: ['letters'] } } })],
  })
  onTestFinished(() => other.close())
  await untilConnected(other, ['office'])
  expect(other.mcp.skills()).toEqual({ office: { 'skill://letters/SKILL.md': 'office-letters' } })
  const run = async (params: { resource?: string }) => {
    const { agent_id } = await other.skills.spawn({})
    return other.skills.run(agent_id, 'office-letters', params)
  }
  const { resources } = (await run({})) as { resources: string[] }
  for (const path of resources) {
    const content = Buffer.from(FILES[decodeURIComponent(path)] ?? '')
    const read = (await run({ resource: path })) as { text?: string; base64?: string }
    expect(read.text ?? read.base64).toBe(content.toString(read.text === undefined ? 'base64' : 'utf8'))
  }
  expect(resources).toHaveLength(Object.keys(FILES).length - 1)
})
