import { type CoreErrorCode, MinionsError, type MinionsErrorOptions } from '@minions/core'

/** Every code this package throws besides core's, with what it means. */
export const PROMPTS_ERROR_CODES = {
  TEMPLATE_INVALID: 'The template is malformed; `details.line` and `details.column` say where.',
  VARIABLES_MISSING: 'Rendering needs variables that were not given; `details.missingVariables` lists them.',
  VARIABLE_INVALID: 'A variable has a value that no template can show, or one that does not fit its declaration.',
  SCORES_INVALID: 'A score is not an integer from 0 to 100, or a declared dimension has none; see `details.errors`.',
  EVALUATOR_INVALID: 'An evaluator was set up with options that cannot work.',
  COMPARISON_INVALID: 'A comparison was asked for with options or results that cannot be compared.',
  PROMPT_TYPE_MISMATCH: 'The minion is not of the type this operation works on.',
  VERSION_AMBIGUOUS: 'Several branches have a version of this number; name the version by its id.',
  TWO_ROOTS: 'A version would follow versions of two prompts; `details.roots` lists where its chains begin.',
  NOTHING_PUBLISHED: 'There is no earlier state to roll back to, because nothing was published yet.',
  RUN_CANCELLED: 'The run of tests was cancelled by its signal, and nothing was written.',
} as const satisfies Record<string, string>

export type PromptsErrorCode = keyof typeof PROMPTS_ERROR_CODES

/** Makes a `MinionsError` with one of this package's codes. */
export function promptsError(
  code: PromptsErrorCode,
  message: string,
  options?: MinionsErrorOptions,
): MinionsError<PromptsErrorCode> {
  return new MinionsError(code, message, options)
}

/** Makes a `MinionsError` with one of core's codes, for what core would say of the same mistake. */
export function coreError(
  code: CoreErrorCode,
  message: string,
  options?: MinionsErrorOptions,
): MinionsError<CoreErrorCode> {
  return new MinionsError(code, message, options)
}
