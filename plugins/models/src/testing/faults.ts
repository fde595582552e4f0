import type { ServerResponse } from 'node:http'

/** A way in which an answer fails. */
export type FakeFault =
  /** This status, with these headers and body. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** A page of a proxy, with status 200. */
  | 'html'
  /** JSON, or an event, that ends in the middle. */
  | 'half-json'
  /** The connection breaks in the middle of the answer. */
  | 'cut'
  /** A stream that ends properly without a finish reason. */
  | 'ends-early'
  /** An error as an event of a stream. */
  | 'error-event'
  /** No answer at all. */
  | 'silent'
  /** A stream that begins and then stalls. */
  | 'stalls'
  /** An answer of 50 MB. */
  | 'huge'

const CHUNK = 1_000_000
const HUGE = 50 * CHUNK

/** Answers a request in one of these ways. */
export function sendFault(response: ServerResponse, fault: FakeFault, isStream: boolean): void {
  if (typeof fault === 'object') {
    const body = fault.body ?? JSON.stringify({ error: { message: `fake failure ${fault.status}` } })
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(body)
    return
  }
  if (fault === 'silent') return
  if (fault === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please log in</body></html>')
    return
  }
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  if (fault === 'huge') {
    sendHuge(response, isStream)
    return
  }
  const begun = isStream ? piece('Once upon ') : '{"id":"x","choices":[{"index":0,"message":{"role":"assist'
  response.write(begun)
  if (fault === 'half-json') response.end(isStream ? 'data: {"id":"x","choices":[{"ind\n\n' : '')
  else if (fault === 'ends-early') response.end('')
  else if (fault === 'error-event') response.end('data: {"error":{"message":"overloaded","code":"busy"}}\n\n')
  else if (fault === 'cut') setTimeout(() => response.destroy(), 20)
}

function piece(content: string): string {
  return `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`
}

function sendHuge(response: ServerResponse, isStream: boolean): void {
  const filler = 'x'.repeat(CHUNK)
  let sent = 0
  if (!isStream)
    response.write('{"id":"x","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"')
  const send = () => {
    while (sent < HUGE) {
      sent += CHUNK
      if (response.destroyed) return
      if (!response.write(isStream ? piece(filler) : filler)) {
        response.once('drain', send)
        return
      }
    }
    response.end(isStream ? 'data: [DONE]\n\n' : '"}}]}')
  }
  send()
}
