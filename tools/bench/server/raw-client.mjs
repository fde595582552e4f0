// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The time in milliseconds, the same for all processes of a machine. */
export const moment = () => performance.timeOrigin + performance.now()

/**
 * A process of `child.mjs`.
 * @param {...string} args
 */
export async function startChild(...args) {
  const file = fileURLToPath(new URL('./child.mjs', import.meta.url))
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The server of the benchmark ended.')
    return JSON.parse(value)
  }
  return {
    started: await next(),
    /** @param {import('./child.mjs').Command} command @returns {Promise<any>} */
    tell(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      return next()
    },
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/**
 * A connection that sends one request again and again, and does so little itself that the server is what is measured.
 * @param {number} port
 * @param {string} request
 */
export async function connection(port, request) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const bytes = Buffer.from(request, 'latin1')
  let expected = 0
  let received = 0
  /** @type {() => void} */
  let answered = () => {}
  socket.on('data', (chunk) => {
    if (expected === 0) expected = lengthOf(chunk.toString('latin1'))
    received += chunk.length
    if (received < expected) return
    received = 0
    answered()
  })
  return {
    /** Sends the request and resolves when its answer is there. @returns {Promise<void>} */
    send: () =>
      new Promise((resolve) => {
        answered = resolve
        // Answers may differ in the length of their headers.
        expected = 0
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

/** Bytes of an answer that begins with this text. @param {string} text */
function lengthOf(text) {
  const [status] = text.split('\r\n')
  if (!status?.startsWith('HTTP/1.1 200')) throw new Error(`The server answered ${text.slice(0, 500)}`)
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  return text.indexOf('\r\n\r\n') + 4 + Number(length)
}

/**
 * A listener to events: calls back for each, with what it says.
 * @param {number} port
 * @param {string} head request line and headers
 * @param {(event: string) => void} onEvent
 */
export async function listener(port, head, onEvent) {
  const socket = connect({ port, host: '127.0.0.1' })
  let isOpen = true
  socket.on('close', () => {
    isOpen = false
  })
  socket.on('error', () => {})
  socket.write(head, 'latin1')
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => {
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (text.includes('retry: ')) resolve()
      if (text.includes('event: change')) onEvent(text)
    })
  })
  await Promise.race([ready, once(socket, 'close').then(() => Promise.reject(new Error('A listener was cut off.')))])
  return { isOpen: () => isOpen, close: () => socket.destroy() }
}
