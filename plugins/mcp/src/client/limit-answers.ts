import { mcpError } from '../errors.js'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** A fetch whose answers fail once one message exceeds this many bytes. */
export function limitAnswers(limit: number, fetchAnswer: Fetch = fetch): Fetch {
  return async (url, init) => {
    const response = await fetchAnswer(url, init)
    if (!response.body) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limiter(limit, isStream)), { status, statusText, headers })
  }
}

/** Counts bytes, in a stream of events from the beginning of each line. */
function limiter(limit: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      const newline = isStream ? chunk.lastIndexOf(10) : -1
      bytes = newline < 0 ? bytes + chunk.length : chunk.length - newline - 1
      if (bytes > limit) controller.error(answerTooLarge(limit))
      else controller.enqueue(chunk)
    },
  })
}

export function answerTooLarge(limit: number): Error {
  return mcpError('ANSWER_TOO_LARGE', `The server answered with more than ${limit} bytes; raise \`maxAnswerBytes\`.`)
}
