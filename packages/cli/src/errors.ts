import { defineErrors } from '@minions/core'

/** Every code that the command adds to those of the packages behind it. */
export const CLI_ERROR_CODES = {
  USAGE: 'The command line itself is wrong.',
  INVALID_JSON: 'An argument, file or standard input should hold JSON and does not.',
  FILE_UNREADABLE: 'A file that was named cannot be read.',
  FILE_UNWRITABLE: 'A file that was named cannot be written.',
  CONFIRMATION_REQUIRED: 'A destructive command was neither confirmed nor given --yes.',
  NOT_FOUND: 'What was named does not exist.',
  VALIDATION_FAILED: 'What was given breaks a rule.',
  COPY_CONFLICT: 'The target of a copy holds something else under the same key.',
  COPY_INCOMPLETE: 'After copying, source and target do not hold the same.',
  IMPORT_REFUSED:
    'Records of another program cannot be taken; `details.problems` lists them, and nothing was imported.',
  UNKNOWN_DOCUMENT: 'A file does not look like any document that can be validated; --kind says what it should be.',
  AMBIGUOUS_REFERENCE: 'What was named may be more than one thing; `details.ids` lists them.',
  EDITOR_FAILED: 'The editor could not be started, or ended with an error.',
  MODULE_UNUSABLE: 'A module that was named does not export what is needed.',
} as const satisfies Record<string, string>

export type CliErrorCode = keyof typeof CLI_ERROR_CODES

/** Creates errors with the codes of the command. */
export const cliError = defineErrors(CLI_ERROR_CODES)
