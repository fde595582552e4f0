import { canonicalJson, type JsonValue } from '@minions/core'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type AnyArtifact, ARTIFACT_ID_FIELDS, type Artifact } from '../schemas/artifact.js'

/**
 * An artifact's own id within its mission and kind: `package_id`, `result_id` and so on. The envelope and the task graph
 * have that of their mission, and graphs are further told apart by revision.
 */
export function artifactId(artifact: Artifact): string {
  return (artifact as unknown as Record<string, string>)[ARTIFACT_ID_FIELDS[artifact.schema_name]] as string
}

/** SHA-256 of an artifact's canonical JSON (RFC 8785), in hex: equal exactly when the content is. */
export function artifactHash(artifact: Artifact | AnyArtifact): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(artifact as unknown as JsonValue))))
}
