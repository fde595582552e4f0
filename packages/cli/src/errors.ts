import { defineErrors } from '@minions/core'

/** Every code that the command adds to those of the packages behind it. */
export const CLI_ERROR_CODES = {
  USAGE: 'The command line itself is wrong.',
  INVALID_JSON: 'An argument, file or standard input does not contain the expected JSON.',
  FILE_UNREADABLE: 'A named file cannot be read.',
  FILE_UNWRITABLE: 'A named file cannot be written.',
  CONFIRMATION_REQUIRED: 'A destructive command was neither confirmed nor given --yes.',
  NOT_FOUND: 'The named thing does not exist.',
  VALIDATION_FAILED: 'The input breaks a rule.',
  COPY_CONFLICT: 'The target of a copy has a different record under the same key.',
  COPY_INCOMPLETE: 'After copying, source and target differ.',
  UNKNOWN_DOCUMENT: 'A file is not a known kind of document; name its kind with --kind.',
  IMPORT_REFUSED:
    'Records of another program cannot be imported; `details.problems` lists them, and nothing was imported.',
  AMBIGUOUS_REFERENCE: 'The reference is ambiguous; `details.ids` lists the matches.',
  EDITOR_FAILED: 'The editor could not be started, or ended with an error.',
  MODULE_UNUSABLE: 'A named module does not export what is needed.',
}
export type CliErrorCode = keyof typeof CLI_ERROR_CODES

/** Creates errors with the codes of the command. */
export const cliError = defineErrors(CLI_ERROR_CODES)
