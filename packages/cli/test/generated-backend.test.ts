import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject } from 'create-minions-plugin'
import { afterAll, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'minions-backend-')))
afterAll(() => rmSync(scratch, { recursive: true }))

it('a backend that was generated, built and packed is used through its URL alone', { timeout: 300_000 }, async () => {
  const { folder, packageName } = createProject('storage', join(scratch, 'clay'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(join(root, 'node_modules/.bin/tsc'), { cwd: folder })
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', scratch], { cwd: folder, stdio: 'ignore' })

  const project = join(scratch, 'project')
  const installed = join(project, 'node_modules', packageName)
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(scratch, `${packageName}-0.1.0.tgz`), '--strip-components=1', '-C', installed])
  symlinkSync(join(root, 'node_modules/@minions'), join(project, 'node_modules/@minions'))

  const minions = new Minions()
  const run = async (...args: string[]) => {
    const outcome = await minions.run([...args, '--json'], { cwd: project })
    expect(outcome.code, outcome.stderr).toBe(0)
    return JSON.parse(outcome.stdout)
  }
  expect(await run('create', 'note', '--title', 'In clay', '--content', 'x', '--storage', 'clay://x')).toMatchObject({
    title: 'In clay',
  })
  await minions.json(['create', 'note', '--title', 'To copy', '--content', 'x'])
  // Counts and checksums of both sides are compared at its end.
  const copied = await run('copy', '--from', `sqlite:${minions.path('minions.db')}`, '--to', 'clay://x?name=copy')
  expect(copied.collections).toContainEqual(expect.objectContaining({ collection: 'minions', records: 1 }))
})
