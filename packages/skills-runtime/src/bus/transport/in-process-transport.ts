import type { SentMessage } from '../message/sent-message.js'
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
            : toFirst(byPreference(endpoints, endpoint, message), message)
        },
        claim(agentId) {
          if (!isOpen) return
          for (const other of endpoints) {
            if (other === endpoint) continue
            for (const message of other.release?.(agentId) ?? []) void handOver(message, endpoint, other)
          }
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

/** Messages that the new mailbox refuses return to the old one; what that refuses too becomes a dead letter there. */
async function handOver(message: SentMessage, to: TransportEndpoint, from: TransportEndpoint): Promise<void> {
  const deliver = (endpoint: TransportEndpoint) =>
    Promise.resolve(message)
      .then((one) => endpoint.deliver(one))
      .catch(() => true)
  if (!(await deliver(to))) await deliver(from)
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

/** The endpoint that expects a message, then the sender's own, then the others. */
function byPreference(
  endpoints: readonly TransportEndpoint[],
  own: TransportEndpoint,
  message: SentMessage,
): readonly TransportEndpoint[] {
  const others = endpoints.filter((endpoint) => endpoint !== own)
  if (own.expects?.(message)) return [own, ...others]
  const expecting = others.find((endpoint) => endpoint.expects?.(message))
  return expecting === undefined ? [own, ...others] : [expecting, own, ...others.filter((other) => other !== expecting)]
}

function toFirst(endpoints: readonly TransportEndpoint[], message: SentMessage): number | Promise<number> {
  for (const [index, endpoint] of endpoints.entries()) {
    const answer = endpoint.deliver(message)
    if (answer === true) return 1
    if (answer !== false) return answer.then((taken) => (taken ? 1 : toFirst(endpoints.slice(index + 1), message)))
  }
  return 0
}
