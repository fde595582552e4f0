import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { Collection, RecordWrite } from '@minions/core/storage'
import type { Codec } from '../codec/codec.js'
import type { Entry } from './file-index.js'

/**
 * A row whose file is as we wrote it. That is enough to open a store, so the text is parsed only when its content is
 * first read.
 */
export class UnreadRow implements RecordWrite {
  readonly key: string
  readonly revision: string
  readonly #collection: Collection
  readonly #codec: Codec
  #content: string | RecordWrite

  constructor({ key, revision }: Entry, text: string, collection: Collection, codec: Codec) {
    this.key = key
    this.revision = revision
    this.#collection = collection
    this.#codec = codec
    this.#content = text
  }

  get record(): JsonObject {
    return this.#row().record
  }

  get columns(): RecordWrite['columns'] {
    return this.#row().columns
  }

  get references(): RecordWrite['references'] {
    return this.#row().references
  }

  get words(): readonly string[] {
    return this.#row().words
  }

  #row(): RecordWrite {
    if (typeof this.#content === 'string') this.#content = this.#parse(this.#content)
    return this.#content
  }

  #parse(text: string): RecordWrite {
    try {
      return this.#collection.fromStored(this.#codec.decode(text) as JsonObject, this.revision)
    } catch (error) {
      throw new MinionsError(
        'STORAGE_CORRUPT',
        `"${this.key}" of "${this.#collection.name}" was readable once and is no longer; restore a backup.`,
        { cause: error, details: { collection: this.#collection.name, key: this.key } },
      )
    }
  }
}
