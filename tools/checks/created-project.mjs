// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the Studio may take to show what the project did, on a busy machine too. */
const STUDIO_LIMIT_MS = 60_000

/**
 * Creates a project with the packed `create-minions`, inside a project where all our packages are installed, runs its program
 * and its test, and finds its mission in the Studio.
 *
 * @param {string} project
 * @returns {Promise<string[]>} what went wrong
 */
export async function createdProjectProblems(project) {
  const created = join(project, 'created')
  const steps = [
    { cwd: project, args: ['node_modules/create-minions/bin/create-minions.js', 'created', '--yes', '--no-install'] },
    { cwd: created, args: ['src/main.mjs'] },
    { cwd: created, args: ['--test', 'test/app.test.mjs'] },
  ]
  for (const { cwd, args } of steps) {
    const { status, stdout, stderr } = spawnSync(execPath, args, { cwd, env, encoding: 'utf8' })
    if (status !== 0) return [`a project that create-minions created fails at ${args.join(' ')}:\n${stdout}${stderr}`]
  }
  return studioProblems(project, created)
}

/** @param {string} project @param {string} created @returns {Promise<string[]>} */
async function studioProblems(project, created) {
  const minions = join(project, 'node_modules/.bin/minions')
  const studio = spawn(execPath, [minions, 'studio', 'sqlite:./data/minions.db', '--no-open', '--json'], {
    cwd: created,
    env: { ...env, MINIONS_HOME: join(created, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const statuses = await Promise.race([
      shownMissions(studio.stdout.setEncoding('utf8')),
      sleep(STUDIO_LIMIT_MS, undefined, { ref: false }).then(() => ['nothing in time']),
    ])
    if (statuses.join() === 'completed') return []
    return [`the Studio of a created project should show one completed mission, and shows: ${statuses.join(', ')}`]
  } finally {
    const ended = once(studio, 'exit')
    studio.kill()
    await ended
  }
}

/**
 * The status of each mission, as the page of the Studio reads them.
 *
 * @param {AsyncIterable<string>} output of the command
 * @returns {Promise<string[]>}
 */
async function shownMissions(output) {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    if (text.trimEnd().endsWith('}')) break
  }
  const { url } = JSON.parse(text)
  const key = new URL(url).hash.slice('#key='.length)
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
  const call = async (/** @type {string} */ name, /** @type {Record<string, string>} */ more = {}) => {
    const request = { method: 'POST', headers: { ...headers, ...more }, body: '{}' }
    const answer = await fetch(new URL(`/api/operations/${name}`, url), request)
    if (!answer.ok) throw new Error(`${name} of the Studio of a created project answers ${answer.status}`)
    return answer.json()
  }
  const [tenant = ''] = /** @type {string[]} */ (await call('artifacts.tenants'))
  const missions = await call('missions.list', { 'Minions-Tenant': tenant })
  return /** @type {{ items: { status: string }[] }} */ (missions).items.map(({ status }) => status)
}
