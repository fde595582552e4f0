import { defineErrors } from './define-errors.js'

/** Every code used by core and storage backends, with its meaning. Other packages have their own tables. */
export const CORE_ERROR_CODES = {
  VALIDATION_FAILED: 'A value breaks a rule; `details.errors` or `details.pointer` says which.',
  NOT_FOUND: 'No record has this id.',
  CONFLICT: 'The record changed since it was read; `details.current` is its current revision, null if there is none.',
  UNIQUE_VIOLATION: 'Another record already has this unique value.',
  REFERENCE_VIOLATION: 'A record refers to one that does not exist, or a record that is still referenced was removed.',
  ALREADY_REGISTERED: 'A type, plugin, scheme or collection with this name already exists.',
  INVALID_TYPE: 'A type definition cannot be used; `details.errors` says where and why.',
  INVALID_SCHEMA: 'A schema cannot be used; `details.errors` says where and why.',
  TYPE_DIFFERS: 'A type has a different schema in the store than in code; `details.types` says where they differ.',
  INVALID_QUERY: 'A query uses an operator, path or value that does not exist.',
  INVALID_CURSOR: 'The cursor is damaged or belongs to another query.',
  CHANGES_EXPIRED:
    'The change feed no longer reaches back to this cursor; read the current state and continue from `now`.',
  INVALID_BUNDLE: 'An import bundle is damaged or hostile; `details.line` says where.',
  STORAGE_BUSY: 'Another process locked the store for too long; try again.',
  STORAGE_UNAVAILABLE: 'The store cannot be reached, read or written.',
  STORAGE_CORRUPT: 'The store is damaged; restore a backup.',
  STORAGE_VERSION: 'The store was written by a newer version.',
  OUTSIDE_TRANSACTION: 'The outer client or store was used inside its own transaction; use the one passed to `work`.',
  TRANSACTION_TIMEOUT: 'A transaction did not end within its deadline and was rolled back.',
  TRANSACTION_SPANS_BACKENDS: 'A transaction may not write to two backends.',
  CAPABILITY_MISSING: 'The backend declares that it cannot do this.',
  CLOSED: 'The object was used after it was closed.',
  DELETED: 'The minion is deleted; restore it first.',
  PROTECTED: 'System types cannot be removed or redefined.',
  CYCLE: 'The relations form a cycle where none is allowed; `details.path` shows it.',
  FORBIDDEN: 'The caller does not have the access that the operation needs.',
  CANCELLED: 'The caller cancelled the call.',
  OUTPUT_INVALID: 'The result of an operation does not fit its schema; the operation has a bug.',
  UNKNOWN_SCHEME: 'No backend is known for this storage URL.',
}
export type CoreErrorCode = keyof typeof CORE_ERROR_CODES

/** Creates errors with the codes of core. */
export const coreError = defineErrors(CORE_ERROR_CODES)
