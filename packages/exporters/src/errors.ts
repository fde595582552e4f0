import { defineErrors, type MinionsError } from '@minions/core'
import { type BodyFields, messagesOf } from '@minions/prompts'

/** Every code this package throws besides those of core and prompts, with its meaning. */
export const EXPORTERS_ERROR_CODES = {
  FORMAT_UNKNOWN: 'No exporter is registered for this format; `details.formats` lists those that are.',
  EXPORT_UNSUPPORTED: 'The prompt uses something that the format cannot express; `details.construct` says what.',
  CLIENT_MISSING: 'A prompt was given by its id to an exporter that has no client to read it with.',
  FILES_CONFLICT:
    'Prompts were changed in files and in the store; `details.conflicts` has both texts, and nothing was written.',
  IMPORT_INVALID: 'The document is not a prompt export, or contradicts itself; nothing was imported.',
}
export type ExportersErrorCode = keyof typeof EXPORTERS_ERROR_CODES

/** Creates errors with the codes of this package. */
export const exportersError = defineErrors(EXPORTERS_ERROR_CODES)

/** The error for something a format cannot express. */
export function unsupported(format: string, construct: string, why: string): MinionsError {
  return exportersError('EXPORT_UNSUPPORTED', `This prompt cannot be exported to ${format}: ${construct} ${why}.`, {
    details: { format, construct },
  })
}

/** For formats that hold a single text. */
export function refuseMessages(format: string, fields: { readonly content: string } & BodyFields): void {
  if (!messagesOf({ fields })) return
  throw unsupported(format, 'a list of messages', 'does not exist there; use openai, anthropic or ai-sdk')
}
