// @ts-check
// Serves what the area `server` measures, in a process of its own: `child.mjs app`, or
// `child.mjs bare <JSON of the body and the headers of an answer>`.
// Says in a line of JSON where it listens, then does what the lines of its input say and answers each with a line.
import { createInterface } from 'node:readline'
import { serve as serveHono } from '@hono/node-server'
import { colonyContracts } from '@minions/colony-contracts'
import { operationsOf, runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { serve, server } from '@minions/server'
import { Hono } from 'hono'

/** @typedef {{ does: 'commit', artifact: number } | { does: 'memory' } | { does: 'cpu' }} Command */

const say = (/** @type {object} */ value) => console.log(JSON.stringify(value))

if (process.argv[2] === 'bare') await serveBare(process.argv[3] ?? '')
else await serveApp()

/** Milliseconds that the processors have worked for this process. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A route of the same framework, on the same server, that gives the same bytes. @param {string} answer */
async function serveBare(answer) {
  const { body, headers } = JSON.parse(answer)
  const app = new Hono()
  app.get('/api/operations/:name', () => new Response(body, { headers }))
  serveHono({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => say({ port }))
  for await (const _ of createInterface({ input: process.stdin })) say({ cpu: cpu() })
}

async function serveApp() {
  const app = await createMinions({ storage: 'sqlite::memory:', plugins: [colonyContracts(), server()] })
  const { port } = await serve(app, { port: 0, rateLimit: { points: 1e9, duration: 60 }, streamsPerKey: 20_000 })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['write'] })
  const note = await app.create('note', { title: 'Plants', fields: { content: 'Water them. '.repeat(20) } })
  const [example] = operationsOf(app).get('artifacts.put')?.value.examples ?? []
  if (!example) throw new Error('artifacts.put has no example')
  const { artifacts } = /** @type {{ artifacts: Record<string, any>[] }} */ (example.input)
  const envelope = artifacts.find(({ schema_name }) => schema_name === 'mission_envelope')
  const proposal = artifacts.find(({ schema_name }) => schema_name === 'writeback_proposal')
  const tenant = envelope?.tenant_id
  await runOperation(app, 'artifacts.put', { artifacts: [envelope] }, { tenant })
  say({ port, key, tenant, note: note.id, mission: envelope?.mission_id })
  for await (const line of createInterface({ input: process.stdin })) {
    /** @type {Command} */
    const command = JSON.parse(line)
    if (command.does === 'memory') say({ rss: process.memoryUsage().rss })
    else if (command.does === 'cpu') say({ cpu: cpu() })
    else {
      const next = { ...proposal, proposal_id: `wb_${command.artifact}` }
      await runOperation(app, 'artifacts.put', { artifacts: [next] }, { tenant })
      say({ at: performance.timeOrigin + performance.now() })
    }
  }
}
