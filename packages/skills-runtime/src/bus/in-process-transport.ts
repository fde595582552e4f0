import type { SentMessage } from './delivery.js'
import type { MessageTransport, TransportEndpoint } from './transport.js'

/** A transport between the buses of one process. Messages are handed over at once and never copied: they are frozen. */
export function inProcessTransport(): MessageTransport {
  let endpoints: readonly TransportEndpoint[] = []
  return {
    connect(endpoint) {
      endpoints = [...endpoints, endpoint]
      let isOpen = true
      return {
        dispatch(message, composedAt) {
          if (!isOpen) return 0
          // Most buses are alone.
          if (endpoints.length === 1 && endpoints[0] === endpoint) return countOf(endpoint.deliver(message, composedAt))
          return message.recipient_id === null
            ? toAll(endpoints, message)
            : toFirst([endpoint, ...endpoints.filter((other) => other !== endpoint)], message)
        },
        close() {
          isOpen = false
          endpoints = endpoints.filter((other) => other !== endpoint)
        },
      }
    },
    close() {
      endpoints = []
    },
  }
}

function countOf(taken: boolean | Promise<boolean>): number | Promise<number> {
  return typeof taken === 'boolean' ? Number(taken) : taken.then(Number)
}

function toAll(endpoints: readonly TransportEndpoint[], message: SentMessage): number | Promise<number> {
  let taken = 0
  let waiting: Promise<boolean>[] | undefined
  for (const endpoint of endpoints) {
    const answer = endpoint.deliver(message)
    if (answer === true) taken++
    else if (answer !== false) {
      waiting ??= []
      waiting.push(answer)
    }
  }
  if (waiting === undefined) return taken
  return Promise.all(waiting).then((answers) => taken + answers.filter(Boolean).length)
}

function toFirst(endpoints: readonly TransportEndpoint[], message: SentMessage): number | Promise<number> {
  for (const [index, endpoint] of endpoints.entries()) {
    const answer = endpoint.deliver(message)
    if (answer === true) return 1
    if (answer !== false) return answer.then((taken) => (taken ? 1 : toFirst(endpoints.slice(index + 1), message)))
  }
  return 0
}
