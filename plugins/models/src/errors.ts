import { defineErrors } from '@minions/core'

/** Every code that this package throws, with its meaning. Codes shared with core have the same meaning there. */
export const MODELS_ERROR_CODES = {
  VALIDATION_FAILED: 'An option or argument breaks a rule.',
  NOT_FOUND: 'No model, agent or skill has this name.',
  CANCELLED: 'The caller cancelled the call.',
  MODEL_MISSING: 'No model is configured for the request.',
  MODEL_SPEC_INVALID: 'A string such as MINIONS_MODEL does not name a model.',
  PROVIDER_MISSING: 'The package of a provider cannot be imported from the application.',
  MODEL_UNREACHABLE: 'The provider does not answer: it is down, or the connection broke.',
  MODEL_UNAVAILABLE: 'The provider reported a failure of its own, such as an overload.',
  MODEL_RATE_LIMITED:
    'The provider refuses more calls for now; `details.retryAfterMs` says for how long, if it is known.',
  MODEL_UNAUTHORIZED: 'The provider does not accept the key.',
  MODEL_REFUSED: 'The provider refuses the request; repeating it changes nothing.',
  MODEL_TIMEOUT: 'The answer took too long, or stopped arriving.',
  MODEL_ANSWER_CUT: 'The answer ended before it was complete.',
  MODEL_ANSWER_INVALID: 'The answer violates the protocol: HTML, malformed JSON, missing parts.',
  MODEL_ANSWER_TOO_LARGE: 'The answer is larger than the limit; nothing of it was kept.',
  PRICES_INVALID: 'A table of prices cannot be read.',
  BUDGET_INVALID: 'A budget cannot be enforced: the price of a model is unknown.',
  CASSETTE_MISS: 'The cassette has no answer to this request; `details.nearest` shows the most similar one.',
  CASSETTE_INVALID: 'The file of a cassette is malformed.',
  JUDGE_INVALID: 'The judge returned no usable verdict.',
}
export type ModelsErrorCode = keyof typeof MODELS_ERROR_CODES

/** Creates errors with the codes of this package. */
export const modelsError = defineErrors(MODELS_ERROR_CODES)
