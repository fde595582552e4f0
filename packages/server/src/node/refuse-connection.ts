import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { MinionsError } from '@minions/core'
import { serverError } from '../errors.js'
import { problemOf } from '../http/problem.js'

/** Answers requests that Node itself refuses: headers that are too large or too slow, and anything but HTTP. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  refuse(socket, refusalOf(error))
}

/** Answers `CONNECT`, which Node takes for the beginning of a tunnel. */
export function refuseTunnel(_request: unknown, socket: Writable): void {
  refuse(socket, serverError('BAD_REQUEST', 'This server is not a proxy; send the request to it without CONNECT.'))
}

function refuse(socket: Writable, error: MinionsError): void {
  const problem = problemOf(error, 'none')
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function refusalOf({ code, message }: NodeJS.ErrnoException) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return serverError('HEADERS_TOO_LARGE', 'The headers of the request are too large; send fewer or shorter ones.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return serverError('REQUEST_TOO_SLOW', 'The request took too long to arrive; send it faster, or send less.')
    default:
      return serverError('BAD_REQUEST', `The request cannot be understood: ${message.slice(0, 100)}.`)
  }
}
