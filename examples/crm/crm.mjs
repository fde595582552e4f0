// @ts-check
// A small CRM with live search: `node examples/crm/crm.mjs`, after `npm run build`, then open the address it prints. What any
// browser adds appears in the others at once, because every page follows the change feed of the store.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { argv, stdout } from 'node:process'
import { defineType, isMinionsError, Minions } from '@minions/core'
import { sqliteStorage } from '@minions/storage-sqlite'
import { page } from './page.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

const customerType = defineType({
  id: 'customer',
  name: 'Customer',
  slug: 'customer',
  schema: [
    { name: 'company', type: 'string', required: true },
    { name: 'email', type: 'email' },
  ],
})

const minions = await Minions.open({
  storage: sqliteStorage({ path: argv[2] ?? ':memory:' }),
  types: [customerType],
})

/** @type {Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void>} */
const routes = {
  'GET /': (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  'GET /customers': async (_request, response, url) => {
    const query = { type: 'customer', limit: 20 }
    const words = url.searchParams.get('q') ?? ''
    const { items } = words === '' ? await minions.find(query) : await minions.search(words, query)
    send(
      response,
      200,
      items.map(({ id, title, fields }) => ({ id, name: title, ...fields })),
    )
  },
  'POST /customers': async (request, response) => {
    const { name, company, email } = JSON.parse(await bodyOf(request))
    const customer = await minions.create(customerType, { title: name, fields: { company, email } })
    send(response, 201, { id: customer.id })
  },
  'GET /changes': async (request, response) => {
    const stop = new AbortController()
    request.once('close', () => stop.abort())
    // From here on, before the page is told that it is connected: it misses nothing.
    const { cursor } = await minions.listChanges({ since: 'now' })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    for await (const { key } of minions.changes({ since: cursor, types: ['customer'], signal: stop.signal })) {
      if (!response.write(`data: ${JSON.stringify({ id: key })}\n\n`)) await once(response, 'drain')
    }
    response.end()
  },
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const route = routes[`${request.method} ${url.pathname}`]
  if (!route) return send(response, 404, { error: 'There is no such page.' })
  try {
    await route(request, response, url)
  } catch (error) {
    if (response.headersSent) response.end()
    else if (isMinionsError(error)) send(response, 422, { error: error.message })
    else send(response, 400, { error: 'The request cannot be read.' })
  }
})

server.listen(Number(argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}/\n`)
})

/** @param {ServerResponse} response @param {number} status @param {unknown} body */
function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** @param {IncomingMessage} request */
async function bodyOf(request) {
  let body = ''
  for await (const part of request.setEncoding('utf8')) {
    body += part
    if (body.length > 100_000) throw new Error('The body is too large.')
  }
  return body
}
