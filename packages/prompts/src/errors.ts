import { defineErrors } from '@minions/core'

/** Every code this package throws besides core's, with its meaning. */
export const PROMPTS_ERROR_CODES = {
  TEMPLATE_INVALID: 'The template is malformed; `details.line` and `details.column` say where.',
  VARIABLES_MISSING: 'Rendering needs variables that were not given; `details.missingVariables` lists them.',
  VARIABLE_INVALID: 'A variable has a value that no template can show, or that does not match its declaration.',
  SCORES_INVALID: 'A score is not an integer from 0 to 100, or a declared dimension has none; see `details.errors`.',
  EVALUATOR_INVALID: 'The options of an evaluator are invalid.',
  COMPARISON_INVALID: 'The options or results of a comparison cannot be compared.',
  PROMPT_TYPE_MISMATCH: 'The minion is not of the type this operation works on.',
  VERSION_AMBIGUOUS: 'Several branches have a version of this number; name the version by its id.',
  TWO_ROOTS: 'A version would follow versions of two prompts; `details.roots` lists where its chains begin.',
  NOTHING_PUBLISHED: 'There is no earlier state to roll back to, because nothing was published yet.',
  NAME_INVALID: 'The text cannot be the name of a prompt.',
  NAME_TAKEN: 'Another prompt already has the name; `details.promptId` says which.',
  LABEL_INVALID: 'The text cannot be a label.',
  LABEL_UNKNOWN: 'The prompt has no such label; `details.labels` lists those it has.',
  LABEL_PROTECTED: 'The label is protected, and the caller may not move it to this version.',
  MESSAGES_INVALID: 'The messages, model settings or response schema of a prompt cannot be used.',
  FRAGMENT_UNKNOWN:
    'A template includes a prompt, label or version that does not exist; `details.fragment` says which.',
  FRAGMENT_INVALID: 'A template includes a prompt that cannot be part of another, such as a chat prompt.',
  FRAGMENT_CYCLE: 'A prompt would include itself; `details.path` shows the path.',
  SPLIT_INVALID: 'The versions or weights of a split are invalid.',
  EVALUATION_FAILED: 'A model or judge failed on a test; `details.testId` and `details.versionId` say where.',
  DATASET_INVALID: 'A data set cannot be read; `details.line` says where.',
  RUN_CANCELLED: 'The test run was cancelled by its signal, and nothing was written.',
}
export type PromptsErrorCode = keyof typeof PROMPTS_ERROR_CODES

/** Creates errors with the codes of this package. */
export const promptsError = defineErrors(PROMPTS_ERROR_CODES)
