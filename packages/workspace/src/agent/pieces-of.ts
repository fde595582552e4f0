/** The chunks of text that work yields, and its return value. It is aborted when the reader stops, or by the signal. */
export async function* piecesOf<T>(
  work: (onText: (piece: string) => void, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, T> {
  const reader = new AbortController()
  const pieces: string[] = []
  let wake = () => {}
  const onText = (piece: string) => {
    pieces.push(piece)
    wake()
  }
  let isOver = false
  const working = work(onText, signal ? AbortSignal.any([signal, reader.signal]) : reader.signal).finally(() => {
    isOver = true
    wake()
  })
  // Awaited below; until then a failure must not count as unhandled.
  working.catch(() => undefined)
  try {
    for (;;) {
      for (const piece of pieces.splice(0)) yield piece
      if (isOver) break
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isOver || pieces.length > 0) resolve()
      })
    }
    return await working
  } finally {
    if (!isOver) reader.abort()
  }
}
