import { artifactHash } from '../mission/identity.js'
import type { StoredArtifact } from '../schemas/artifact.js'
import type { PlannedArtifact } from './put-plan.js'

/** The outcome of storing an artifact. */
export class PutResult<A = unknown> {
  /** As stored, with tenant and actor. */
  readonly artifact: StoredArtifact & A
  /** False when identical content was already stored. */
  readonly created: boolean
  /** The revision of a task graph, from 1. */
  readonly revision: number | undefined
  #hash: string | undefined

  constructor({ artifact, created, revision, hash }: PlannedArtifact) {
    this.artifact = artifact as StoredArtifact & A
    this.created = created
    this.revision = revision
    this.#hash = hash
  }

  /** SHA-256 of its canonical JSON. Computing it takes longer than the rest of storing an artifact, so it is lazy. */
  get hash(): string {
    this.#hash ??= artifactHash(this.artifact)
    return this.#hash
  }
}
