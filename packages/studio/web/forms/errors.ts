import { isMinionsError } from '@minions/client'
import type { FormErrors } from './schema-form.tsx'

/** What an operation said of single values, by their paths; empty for an error of any other kind. */
export function formErrors(error: unknown): FormErrors {
  if (!isMinionsError(error)) return {}
  const { errors } = error.details
  if (!Array.isArray(errors)) return {}
  // A message goes on from the name of the value: "must be a string".
  return Object.fromEntries(
    errors.flatMap((each: unknown) => {
      const { pointer, message } = Object(each) as Record<string, unknown>
      return typeof pointer === 'string' && typeof message === 'string' ? [[pathOf(pointer), `It ${message}.`]] : []
    }),
  )
}

/** `/fields/content` is `fields.content`. */
function pathOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}
