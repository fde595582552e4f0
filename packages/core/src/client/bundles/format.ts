import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { coreError } from '../../errors/codes.js'
import { canonicalJson } from '../../json/canonical.js'
import type { JsonObject } from '../../json/json-value.js'

export const BUNDLE_HEADER = { format: 'minions-bundle', version: 1 } as const

/**
 * Computes and verifies the checksum of each line: SHA-256 over the checksum of the previous line and the canonical
 * JSON of the line, so that a changed, missing, added or moved line is detected at that line.
 */
export class LineSums {
  #last = ''

  next(content: JsonObject): string {
    this.#last = bytesToHex(sha256(utf8ToBytes(`${this.#last}\n${canonicalJson(content)}`)))
    return this.#last
  }
}

export function damaged(line: number, problem: string, cause?: unknown): Error {
  return coreError(
    'INVALID_BUNDLE',
    `The bundle is refused because of line ${line}: ${problem.replace(/\.$/, '')}. Nothing was imported.`,
    { details: { line }, ...(cause !== undefined && { cause }) },
  )
}
