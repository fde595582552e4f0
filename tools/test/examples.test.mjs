// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { startFakeModelServer } from '@minions/models/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../packages.mjs'

/** @param {string} file @param {string[]} args */
function runExample(file, ...args) {
  const { status, stdout, stderr } = spawnSync(execPath, [join(root, 'examples', file), ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const timeout = 120_000

test('a plugin with an operation', { timeout }, () => {
  expect(runExample('plugin/main.mjs')).toMatchObject({ stdout: '{ average: 4 }\nVALIDATION_FAILED\n', status: 0 })
})

test('a plugin with an operation, at a terminal', { timeout }, () => {
  const command = join(root, 'packages/cli/bin/minions.js')
  const plugin = join(root, 'examples/plugin/feedback.mjs')
  const input = JSON.stringify({ about: 'docs', stars: 5 })
  const args = [
    '--plugin',
    plugin,
    '--storage',
    'memory:',
    'operations',
    'run',
    'feedback.give',
    '--input',
    input,
    '--json',
  ]
  const { stdout, stderr } = spawnSync(execPath, [command, ...args], { encoding: 'utf8' })
  expect(stdout === '' ? stderr : JSON.parse(stdout)).toEqual({ average: 5 })
})

test('a prompt library with a gate', { timeout }, () => {
  expect(runExample('prompt-library/gate.mjs')).toMatchObject({ status: 0, stdout: expect.stringContaining('passed') })
  expect(runExample('prompt-library/gate.mjs', 'Hello {{name}}, about {{topic}}.')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('Greets by name'),
  })
})

test('an agent with skills on a local model', { timeout }, async () => {
  const server = await startFakeModelServer({
    replies: ({ index }) =>
      [
        { toolCalls: [{ id: 'call_1', name: 'weather', arguments: { city: 'Kiel' } }] },
        { toolCalls: [{ id: 'call_2', name: 'ferries', arguments: { city: 'Kiel' } }] },
      ][index] ?? { text: 'Yes: it is clear, and a ferry leaves at 09:30.' },
  })
  onTestFinished(() => server.close())
  const example = spawn(execPath, [join(root, 'examples/agent/main.mjs')], {
    env: { ...env, MINIONS_MODEL: `openai-compatible:${server.url}#scripted` },
  })
  let printed = ''
  for (const stream of [example.stdout, example.stderr]) stream.on('data', (part) => (printed += part))
  const [code] = await once(example, 'close')
  expect(printed).toContain('Yes: it is clear, and a ferry leaves at 09:30.')
  expect(printed).toContain('completed')
  expect(code).toBe(0)
})

describe('a CRM with live search', () => {
  test('finds what was added as it is typed, and tells open pages', { timeout }, async () => {
    const crm = spawn(execPath, [join(root, 'examples/crm/crm.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(async () => {
      crm.kill()
      if (crm.exitCode === null && crm.signalCode === null) await once(crm, 'exit')
    })
    const [line] = await once(crm.stdout.setEncoding('utf8'), 'data')
    const url = line.trim()
    expect(await (await fetch(url)).text()).toContain('<h1>Customers</h1>')

    const stop = new AbortController()
    const changes = await fetch(`${url}changes`, { signal: stop.signal })
    /** @param {object} customer */
    const add = (customer) => fetch(`${url}customers`, { method: 'POST', body: JSON.stringify(customer) })
    expect((await add({ name: 'Ada Lovelace', company: 'Engines' })).status).toBe(201)
    expect((await add({ name: 'Grace Hopper', company: 'Compilers', email: 'not an address' })).status).toBe(422)

    if (changes.body === null) throw new Error('The stream of changes has no body.')
    const { value } = await changes.body.getReader().read()
    expect(new TextDecoder().decode(value)).toMatch(/^data: \{"id":"/)
    stop.abort()

    const found = async (/** @type {string} */ words) => (await fetch(`${url}customers?q=${words}`)).json()
    expect(await found('lov')).toEqual([expect.objectContaining({ name: 'Ada Lovelace', company: 'Engines' })])
    expect(await found('engi')).toHaveLength(1)
    expect(await found('grace')).toEqual([])
  })
})
