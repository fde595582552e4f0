export interface ServerSentEvent {
  readonly event: string
  readonly data: string
  /** Id of the last event that had one. */
  readonly id: string
}

/** Reads events until the stream ends, without comments; `onId` gets each id once everything before it was read. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onId: (id: string) => void = () => {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let id = ''
  let hasId = false
  let event = ''
  let data: string[] = []
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += decoder.decode(chunk.value, { stream: true })
      // A line may end with CR LF, split across two chunks.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id }
          if (hasId) onId(id)
          hasId = false
          event = ''
          data = []
          continue
        }
        const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
        if (field === 'data') data.push(value)
        else if (field === 'event') event = value
        else if (field === 'id') {
          id = value
          hasId = true
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
