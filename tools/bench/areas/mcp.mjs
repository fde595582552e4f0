// @ts-check
import { PassThrough } from 'node:stream'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { mcp, serveStdio } from '@minions/mcp'
import { createHandler, server } from '@minions/server'
import { describe } from '../measure.mjs'

/** @import { Bench } from '../area.mjs' */

const CALLS = 200
const ROUNDS = 9

/** @param {Bench} bench */
export default async function (bench) {
  const app = await createMinions({ storage: 'memory:', plugins: [server(), mcp()] })
  const { id } = await app.create('note', { title: 'Plants', fields: { content: 'Water them.' } })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['read'] })
  const handler = createHandler(app, { rateLimit: false })
  const inProcess = () => runOperation(app, 'objects.get', { id })
  const overHttp = async () => (await handler(request(key, id))).json()
  const pipe = await connected(app)
  const overPipe = () => pipe.call(id)

  const plain = await cpuOf(inProcess)
  for (const [name, work] of /** @type {const} */ ([
    ['over HTTP, with its key', overHttp],
    ['over standard input and output', overPipe],
  ])) {
    bench.value({
      name: `a tool call ${name}, over the same operation in process`,
      value: (await cpuOf(work)) - plain,
      unit: 'ms CPU',
      bar: 2,
      from: 'a local tool call should not be felt beside a model that takes seconds',
      note: `median of ${ROUNDS} rounds of ${CALLS} calls`,
    })
  }
  await pipe.close()
  await app.close()
}

/** Milliseconds of CPU that one call takes. @param {() => Promise<unknown>} work */
async function cpuOf(work) {
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const start = process.cpuUsage()
    for (let call = 0; call < CALLS; call++) await work()
    const { user, system } = process.cpuUsage(start)
    rounds.push((user + system) / 1000 / CALLS)
  }
  // The first one warms up.
  return describe(rounds.slice(1)).median
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
}

/** @param {number} number @param {string} id */
function message(number, id) {
  const params = { name: 'objects_get', arguments: { id }, _meta: meta }
  return JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params })
}

/** @param {string} key @param {string} id */
function request(key, id) {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'objects_get',
    },
    body: message(1, id),
  })
}

/** A client at the other end of a pipe. @param {Parameters<typeof serveStdio>[0]} app */
async function connected(app) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const connection = await serveStdio(app, { input, output })
  let number = 0
  return {
    /** @param {string} id */
    async call(id) {
      const answered = new Promise((resolve) => output.once('data', resolve))
      input.write(`${message(++number, id)}\n`)
      return JSON.parse(String(await answered))
    },
    close: () => connection.close(),
  }
}
