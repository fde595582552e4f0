import { type CoreErrorCode, MinionsError, type MinionsErrorOptions } from '@minions/core'

/** Every code this package throws besides those of core and prompts, with what it means. */
export const EXPORTERS_ERROR_CODES = {
  FORMAT_UNKNOWN: 'No exporter is registered for this format; `details.formats` lists those that are.',
  EXPORT_UNSUPPORTED: 'The prompt uses something that the format cannot say; `details.construct` says what.',
  CLIENT_MISSING: 'A prompt was given by its id to an exporter that has no client to read it with.',
  IMPORT_INVALID: 'The document is no prompt export, or contradicts itself; nothing was imported.',
} as const satisfies Record<string, string>

export type ExportersErrorCode = keyof typeof EXPORTERS_ERROR_CODES

/** Makes a `MinionsError` with one of this package's codes or core's. */
export function exportersError(
  code: ExportersErrorCode | Extract<CoreErrorCode, 'VALIDATION_FAILED' | 'NOT_FOUND'>,
  message: string,
  options?: MinionsErrorOptions,
): MinionsError {
  return new MinionsError(code, message, options)
}

/** The format has no way to say this. */
export function unsupported(format: string, construct: string, why: string): MinionsError {
  return exportersError('EXPORT_UNSUPPORTED', `This prompt cannot be exported to ${format}: ${construct} ${why}.`, {
    details: { format, construct },
  })
}
