import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { CreateFieldsOf, HasSchema, UpdateFieldsOf } from '../types/fields-of.js'

/** Attributes that a caller may leave out; null and `''` count as left out. */
type OptionalAttributes<K extends keyof Minion> = { [P in K]?: Minion[P] | null | undefined }

type CommonAttributes = 'tags' | 'status' | 'priority' | 'description' | 'dueDate' | 'categoryId' | 'folderId'

/** `fields` itself may be left out when no field must be given. */
type FieldsInput<F> = Record<never, never> extends F ? { fields?: F | null | undefined } : { fields: F }

/**
 * What a new minion of type `T` is made from. An `id` is given only when it was assigned elsewhere, and `minionTypeId`,
 * when given, must be the id of the type.
 */
export type CreateMinionInput<T extends HasSchema = MinionType> = Pick<Minion, 'title'> &
  OptionalAttributes<CommonAttributes | 'id' | 'minionTypeId' | 'createdBy'> &
  FieldsInput<CreateFieldsOf<T>>

/** A partial update: what is left out or undefined stays, an attribute given as null is cleared, a field as null removed. */
export type UpdateMinionInput<T extends HasSchema = MinionType> = { title?: string | undefined } & OptionalAttributes<
  CommonAttributes | 'updatedBy'
> & { fields?: UpdateFieldsOf<T> | null | undefined }
