import { type Completion, chunk, type Heading, lastChunks } from './chat-response.js'
import { errorBody, errorResponse } from './error-response.js'

/** Milliseconds between two keep-alive comments on an idle connection. */
const PING_MS = 15_000

/** Runs something that streams its text. */
export type RunInPieces = (onText: (piece: string) => void, signal: AbortSignal) => Promise<Completion>

/**
 * Answers as server-sent events. A failure before the first chunk is an ordinary response with a status; a later one is
 * an event. When the client disconnects, the run is cancelled.
 */
export async function streamResponse(
  heading: Heading,
  run: RunInPieces,
  { includeUsage, signal }: { readonly includeUsage: boolean; readonly signal: AbortSignal },
): Promise<Response> {
  const abort = new AbortController()
  const ended = AbortSignal.any([signal, abort.signal])
  let send: ((event: object) => void) | undefined
  const early: object[] = []
  let begun = () => {}
  const first = new Promise<void>((resolve) => {
    begun = resolve
  })
  const running = run((content) => {
    const event = chunk(heading, { content })
    if (send) send(event)
    else early.push(event)
    begun()
  }, ended)
  try {
    await Promise.race([first, running])
  } catch (error) {
    return errorResponse(error)
  }
  const encoder = new TextEncoder()
  let ping: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!ended.aborted) controller.enqueue(encoder.encode(text))
      }
      send = (event) => write(`data: ${JSON.stringify(event)}\n\n`)
      ping = setInterval(() => write(': ping\n\n'), PING_MS).unref()
      send(chunk(heading, { role: 'assistant', content: '' }))
      for (const event of early) send(event)
      try {
        for (const event of lastChunks(heading, await running, includeUsage)) send(event)
      } catch (error) {
        send(errorBody(error).body)
      }
      write('data: [DONE]\n\n')
      clearInterval(ping)
      if (!ended.aborted) controller.close()
    },
    cancel(reason) {
      clearInterval(ping)
      abort.abort(reason)
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
