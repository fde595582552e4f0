import { promptsError } from '../errors.js'

/** The label that `publish` moves. */
export const PRODUCTION = 'production'

/** Always refers to the latest version; it cannot be moved. */
export const LATEST = 'latest'

export const LABEL_PATTERN = '^[a-z0-9]+(?:[._-][a-z0-9]+)*$'

/** Maximum length of a label. */
export const MAX_LABEL = 50

const PATTERN = new RegExp(LABEL_PATTERN)

export function isLabel(label: unknown): label is string {
  return typeof label === 'string' && label.length <= MAX_LABEL && PATTERN.test(label)
}

/** Throws `LABEL_INVALID` for a string that cannot be a movable label. */
export function assertLabel(label: unknown): asserts label is string {
  if (isLabel(label) && label !== LATEST) return
  const problem =
    label === LATEST
      ? `"${LATEST}" always refers to the latest version and cannot be moved.`
      : `${JSON.stringify(label)?.slice(0, 100)} cannot be a label: a label consists of lower-case letters and digits, with single . _ or - between them, at most ${MAX_LABEL} characters, such as "staging".`
  throw promptsError('LABEL_INVALID', problem, { details: { label } })
}
