import { modelsError } from '../errors.js'

/** Fetches with a limit on the bytes of an answer; the connection is closed as soon as it is exceeded. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength
          if (bytes > maxBytes) controller.error(answerTooLarge(maxBytes))
          else controller.enqueue(chunk)
        },
      }),
    )
    const { status, statusText, headers } = response
    return new Response(counted, { status, statusText, headers })
  }
}

export function answerTooLarge(maxBytes: number): Error {
  const message = `The answer has more than ${maxBytes} bytes; raise \`limits.answerBytes\` if that is expected.`
  return modelsError('MODEL_ANSWER_TOO_LARGE', message, { details: { maxBytes } })
}
