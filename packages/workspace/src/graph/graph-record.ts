import { guardMethods } from '@minions/core/plugin'
import { copyForFile } from '../json/copy.js'
import { unknownMembers, withMembers } from './extras.js'

/** A node or rule: a record of a file, of which it preserves the members unknown to this version. */
export abstract class GraphRecord<Known extends { readonly name: string }> {
  readonly #kind: string
  #extras: Record<string, unknown> = {}

  protected constructor(kind: string, known: Known) {
    this.#kind = kind
    Object.assign(this, known)
  }

  /** The record of the file, sharing nothing with this. Throws when it holds a value that JSON cannot represent. */
  toDict(this: this & Known): Known {
    return copyForFile(withMembers<Known>({ ...this }, this.#extras), `The ${this.#kind} ${JSON.stringify(this.name)}`)
  }

  toJSON(this: this & Known): Known {
    return this.toDict()
  }

  protected preserveExtras(record: object): this {
    this.#extras = unknownMembers(record, this)
    return this
  }
}

guardMethods(GraphRecord)
