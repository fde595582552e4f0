import { canonicalJson, type JsonObject } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { ARTIFACT_ID_FIELDS, type Artifact } from '../schemas/artifact.js'

/**
 * An artifact's own id within its mission and kind: `package_id`, `result_id` and so on. The envelope and the task
 * graph have that of their mission, and graphs are distinguished by revision.
 */
export const artifactId = guarded('artifactId', (artifact: Artifact): string => {
  const fields: Artifact<string> = artifact
  return String(fields[ARTIFACT_ID_FIELDS[artifact.schema_name]])
})

/** SHA-256 of an artifact's canonical JSON (RFC 8785), in hex: equal exactly when the content is equal. */
export const artifactHash = guarded('artifactHash', (artifact: Artifact | Artifact<string>): string => {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(artifact as JsonObject))))
})
