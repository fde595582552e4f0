// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { freePort } from '../free-port.mjs'

/**
 * A Redis of its own that loses everything, again and again.
 *
 * @typedef {object} LossyRedis
 * @property {string} url
 * @property {() => Promise<void>} restart kills it and starts it again, empty
 * @property {() => Promise<void>} flush deletes every key
 * @property {() => Promise<void>} stop
 */

/** Undefined where the program `redis-server` is not installed. @returns {Promise<LossyRedis | undefined>} */
export async function lossyRedis() {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}/0`
  let running = await start(port)
  if (running === undefined) return undefined
  const stop = async () => {
    const gone = once(/** @type {import('node:child_process').ChildProcess} */ (running), 'exit')
    running?.kill('SIGKILL')
    await gone
  }
  let last = Promise.resolve()
  /** Several lose it at once: one after another. @param {() => Promise<void>} work */
  const inTurn = (work) => {
    last = last.then(work)
    return last
  }
  return {
    url,
    stop: () => inTurn(stop),
    restart: () =>
      inTurn(async () => {
        await stop()
        running = await start(port)
      }),
    flush: () =>
      inTurn(async () => {
        const client = new Redis(url, { lazyConnect: true })
        await client.connect()
        await client.flushall()
        client.disconnect()
      }),
  }
}

/** @param {number} port */
async function start(port) {
  const words = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const failed = once(server, 'error').then(() => false)
  const ready = (async () => {
    for await (const chunk of server.stdout.setEncoding('utf8')) if (chunk.includes('Ready to accept')) return true
    return false
  })()
  return (await Promise.race([ready, failed])) ? server : undefined
}
