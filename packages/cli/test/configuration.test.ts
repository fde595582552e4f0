import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

describe('config show', () => {
  it('says where each value came from, the nearest first', async () => {
    const minions = new Minions()
    const folder = minions.path('project')
    mkdirSync(folder)
    const storage = async (args: string[] = [], env = {}) => {
      const settings = await minions.json([...args, 'config', 'show'], { cwd: folder, env })
      return settings.find(({ name }: { name: string }) => name === 'storage')
    }
    expect(await storage()).toMatchObject({ value: `sqlite:${minions.path('minions.db')}`, source: 'default' })
    writeFileSync(minions.path('project', 'minions.config.json'), '{"storage":"fs:./data"}')
    const file = minions.path('project', 'minions.config.json')
    expect(await storage()).toMatchObject({ value: `fs:${minions.path('project', 'data')}`, source: file })
    const env = { MINIONS_STORAGE: 'sqlite:./env.db' }
    expect(await storage([], env)).toMatchObject({ value: `sqlite:${folder}/env.db`, source: 'MINIONS_STORAGE' })
    expect(await storage(['--storage', 'memory:'], env)).toMatchObject({ value: 'memory:', source: '--storage' })
  })

  it.each([
    ['sqlite://./x.db', 'sqlite:./x.db'],
    ['fs://./data', 'fs:./data'],
  ])('refuses %s wherever it is configured, and makes nothing', async (url, spelling) => {
    const minions = new Minions()
    const refused = { code: 1, stderr: expect.stringContaining(`"${spelling}"`) }
    expect(await minions.here(['list', '--storage', url])).toMatchObject(refused)
    expect(await minions.here(['list'], { env: { MINIONS_STORAGE: url } })).toMatchObject(refused)
    expect(await minions.here(['copy', '--from', 'memory:', '--to', url])).toMatchObject(refused)
    expect(await minions.here(['copy', '--from', url, '--to', 'memory:'])).toMatchObject(refused)
    writeFileSync(minions.path('minions.config.json'), JSON.stringify({ storage: url }))
    expect(await minions.here(['doctor'])).toMatchObject(refused)
  })

  it('shows long paths whole', async () => {
    const path = `/${'long/'.repeat(30)}minions.db`
    const { stdout } = await new Minions().here(['config', 'show', '--storage', `sqlite:${path}`])
    expect(stdout).toContain(`sqlite:${path} `)
  })

  it('hides passwords', async () => {
    const { stdout } = await new Minions().here(['config', 'show', '--storage', 'postgres://ada:secret@db/minions'])
    expect(stdout).toContain('postgres://ada:***@db/minions')
    expect(stdout).not.toContain('secret')
  })

  it('uses plugins of the configuration and of --plugin, with what they require of ours', async () => {
    const minions = new Minions()
    const plugin = (name: string, ...needed: string[]) => `
      const ref = (name, namespace) =>
        ({ kind: 'plugin', name, namespace, versions: '>=0.1.0', [Symbol.for('@minions/plugin-ref')]: true })
      export default () => ({
        ref: ref('${name}', '${name}'), version: '1.0.0', deps: { ${needed.map((other) => `a: ref('${other}', 'x')`)} },
        contributes: [], provides: [], overrides: [], [Symbol.for('@minions/plugin')]: true, setup: () => ({}),
      })`
    writeFileSync(minions.path('one.mjs'), plugin('one', '@minions/skills-runtime'))
    writeFileSync(minions.path('two.mjs'), plugin('two'))
    writeFileSync(minions.path('minions.config.json'), '{"storage":"sqlite:./x.db","plugins":["./one.mjs"]}')
    const env = { MINIONS_TENANT: 'acme' }
    const settings = await minions.json(['config', 'show', '--plugin', './two.mjs'], { env })
    expect(settings.slice(2)).toEqual([
      { name: 'plugin', value: 'one@1.0.0', source: minions.path('minions.config.json') },
      { name: 'plugin', value: 'two@1.0.0', source: '--plugin' },
      { name: 'tenant', value: 'acme', source: 'MINIONS_TENANT' },
    ])
    expect(
      await minions.json(['types', 'create', '--slug', 'a', '--name', 'A', '--plugin', './two.mjs']),
    ).toMatchObject({ slug: 'a' })
    expect(await minions.json(['list', '--plugin', './two.mjs'])).toEqual([])
  })
})
