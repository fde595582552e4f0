import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { LogFields, Logger } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { skills } from '@minions/skills-runtime'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agent, agents } from '../src/agents/index.js'
import { Redactor } from '../src/door/redactor.js'
import { models } from '../src/index.js'
import { add } from './support/agents-app.js'
import { fakeServer, modelsApp, question, quickTimers } from './support/app.js'
import { folder } from './support/mission.js'

const KEY = 'planted-4711-key-of-the-provider'

/** A server that repeats the key it is sent wherever it can. */
const echo = (authorization: string | undefined, step: number) => {
  const key = String(authorization).replace('Bearer ', '')
  if (step === 0) return { toolCalls: [{ id: key, name: 'add', arguments: { a: 1, b: 2, note: key } }] }
  if (step === 1) return { text: `Your key is ${key}, is it not?`, chunkBytes: 7 }
  if (step === 2) return { fault: { status: 401, body: JSON.stringify({ error: { message: `Bad key ${key}` } }) } }
  if (step === 3) return { fault: { status: 400, body: `<p>${key}</p>`, headers: { 'x-echo': key } } }
  return { fault: 'error-event' as const }
}

test('a key reaches no store, log, error, cassette, event or progress', async () => {
  const home = await mkdtemp(join(folder, 'secrets-'))
  const seen: string[] = []
  const note = (...values: unknown[]) => void seen.push(inspect(values, { depth: 12 }))
  const logger: Logger = {
    debug: (message: string, fields?: LogFields) => note(message, fields),
    info: (message, fields) => note(message, fields),
    warn: (message, fields) => note(message, fields),
    error: (message, fields) => note(message, fields),
    child: (fields) => {
      note(fields)
      return logger
    },
  }
  let step = 0
  const server = await fakeServer(({ headers }) => echo(headers.authorization, step++))
  const app = await createMinions({
    storage: `sqlite:${join(home, 'store.db')}`,
    logger,
    plugins: [
      models({
        environment: { MINIONS_MODEL: `openai-compatible:${server.url}#m`, MINIONS_MODEL_API_KEY: KEY },
        cassette: { file: join(home, 'cassette.json'), mode: 'record' },
        timers: quickTimers,
        random: () => 0,
      }),
      skills(),
      agents({ agents: [agent({ name: 'helper', prompt: 'You help.', skills: [add] })] }),
    ],
  })
  for (const event of ['execution.progress', 'execution.started', 'execution.ended', 'agent.transition'] as const) {
    app.skills.events.on(event as 'execution.progress', (payload) => note(event, payload))
  }
  const pieces: string[] = []
  const result = await app.agents.ask('helper', { input: 'Hi' }, { onText: (piece) => pieces.push(piece) })
  expect(result.text).toBe('Your key is [redacted], is it not?')
  expect(pieces.join('')).toBe(result.text)
  for (let n = 0; n < 3; n++) {
    const error: unknown = await app.agents.ask('helper', { input: 'Hi' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'SKILL_FAILED' })
    note(error, JSON.stringify(error))
  }
  note(await app.skills.executions(), await app.skills.list(), app.models.usage(), app.models.list())
  await app.close()

  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(seen.join('\n')).not.toContain(KEY)
  const files = readdirSync(home)
  expect(files).toContain('cassette.json')
  for (const file of files) expect(readFileSync(join(home, file)).includes(KEY), file).toBe(false)
})

test('no part of a key is left where a long text is cut', async () => {
  for (let padding = 440; padding < 520; padding += 4) {
    const server = await fakeServer(({ headers }) => {
      const key = String(headers.authorization).replace('Bearer ', '')
      const message = `${'x'.repeat(padding)}${key}`
      return { fault: { status: 400, body: JSON.stringify({ error: { message } }) } }
    })
    const app = await modelsApp({
      environment: { MINIONS_MODEL: `openai-compatible:${server.url}#m`, MINIONS_MODEL_API_KEY: KEY },
    })
    const error = await app.models.ask(question()).catch((caught: Error) => caught)
    expect(inspect(error), `after ${padding} characters`).not.toContain(KEY.slice(0, 8))
  }
})

test('keys in pieces of a stream are found, whatever the pieces', () => {
  const redactor = new Redactor(['secret-abcdef', 'secret-abcdefgh', 'aaaaaaaab'])
  const text = fc
    .array(fc.constantFrom('secret-abcdefgh', 'secret-abcdef', 'secret-', 'aaaaaaaab', 'aaa', 'x', ' ', '🚢'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (whole, sizes) => {
      let said = ''
      const stream = redactor.stream((piece) => {
        said += piece
      })
      for (let at = 0, n = 0; at < whole.length; n++) {
        const size = sizes[n % sizes.length] as number
        stream.write(whole.slice(at, at + size))
        at += size
      }
      stream.end()
      for (const secret of ['secret-abcdef', 'aaaaaaaab']) expect(said).not.toContain(secret)
      expect(said.replaceAll('[redacted]', '').length).toBeLessThanOrEqual(whole.length)
      if (redactor.known(whole) === whole) expect(said).toBe(whole)
    }),
  )
})

test('usual forms of keys are taken out of errors, known or not', () => {
  const redactor = new Redactor([], { OPENAI_API_KEY: 'from-the-environment', HOME: '/home/of/ada' })
  expect(redactor.text('sk-proj-abcdefghijklmnop0123 and Bearer abc.def.ghi-123')).toBe('[redacted] and [redacted]')
  expect(redactor.text('from-the-environment in /home/of/ada')).toBe('[redacted] in /home/of/ada')
  expect(redactor.json({ a: ['from-the-environment'], 'from-the-environment': 1 })).toEqual({
    a: ['[redacted]'],
    '[redacted]': 1,
  })
})
