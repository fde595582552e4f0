import {
  type ChangesRequest,
  invalidPosition,
  type StorageBackend,
  type StorageChange,
  type StorageChangePage,
  type Wake,
} from '@minions/core/storage'

const SEPARATOR = '|'

/**
 * The change feeds of several backends as one. A position consists of one for each of them; a record lives in one
 * backend, so its changes stay in order.
 */
export class RoutedFeed {
  readonly #backends: readonly StorageBackend[]

  constructor(backends: readonly StorageBackend[]) {
    this.#backends = backends
  }

  get isComplete(): boolean {
    return this.#backends.every(({ capabilities, changes }) => capabilities.changes && changes)
  }

  async read({ since, collections, limit }: ChangesRequest): Promise<StorageChangePage> {
    const positions = this.#positions(since)
    const changes: StorageChange[] = []
    let more = false
    for (const [index, backend] of this.#backends.entries()) {
      const share = Math.ceil((limit - changes.length) / (this.#backends.length - index))
      if (share < 1) return { changes, position: join(positions), more: true }
      const request = { since: positions[index] as string, collections, limit: share }
      const page = (await backend.changes?.(request)) as StorageChangePage
      for (const change of page.changes) {
        positions[index] = change.position
        changes.push({ ...change, position: join(positions) })
      }
      positions[index] = page.position
      more ||= page.more
    }
    return { changes, position: join(positions), more }
  }

  watch(wake: Wake): () => void {
    const stops = this.#backends.map((backend) => backend.watchChanges?.(wake))
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  #positions(since: string): string[] {
    if (since === 'now' || since === 'start') return this.#backends.map(() => since)
    const positions = since.split(SEPARATOR).map(decode)
    if (positions.length !== this.#backends.length || positions.includes('')) throw invalidPosition(since)
    return positions
  }
}

function join(positions: readonly string[]): string {
  return positions.map(encodeURIComponent).join(SEPARATOR)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
