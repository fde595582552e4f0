import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { isAbsent } from '../fields/absent.js'
import { setOwn } from '../json/set-own.js'
import type { HasSchema } from '../types/fields-of.js'
import { copyIfJson, ownProperties } from './take-values.js'

/** The fields with the type's defaults in place of absent values (missing, null or `''`), copied by every call. */
export const applyDefaults = guarded('applyDefaults', applyDefaultsUnchecked)

function applyDefaultsUnchecked(fields: Readonly<Record<string, unknown>>, type: HasSchema): Record<string, unknown> {
  return setDefaults(ownProperties(fields) ?? {}, type)
}

/** Like `applyDefaults`, on an object that is not shared. */
export function setDefaults(own: Record<string, unknown>, type: HasSchema): Record<string, unknown> {
  if (!Array.isArray(type.schema)) throw coreError('INVALID_TYPE', 'The schema of a type must be a list of fields.')
  for (const { name, defaultValue } of type.schema) {
    if (isAbsent(defaultValue)) continue
    if (!Object.hasOwn(own, name) || isAbsent(own[name])) setOwn(own, name, copyIfJson(defaultValue))
  }
  return own
}
