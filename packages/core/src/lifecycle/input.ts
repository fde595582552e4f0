import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { CreateFieldsOf, HasSchema, UpdateFieldsOf } from '../types/fields-of.js'

/** Attributes that a caller may leave out; null and `''` count as left out. */
type OptionalAttributes<K extends keyof Minion> = { [P in K]?: Minion[P] | null | undefined }

type CommonAttributes = 'tags' | 'status' | 'priority' | 'description' | 'dueDate' | 'categoryId' | 'folderId'

/** `fields` itself may be left out when no field is required. */
type FieldsInput<F> = Record<never, never> extends F ? { fields?: F | null | undefined } : { fields: F }

/** The input for a new minion. An `id` is given only if assigned elsewhere; `minionTypeId` must be the type's. */
export type CreateMinionInput<T extends HasSchema = MinionType> = Pick<Minion, 'title'> &
  OptionalAttributes<CommonAttributes | 'id' | 'minionTypeId' | 'createdBy'> &
  FieldsInput<CreateFieldsOf<T>>

/** A partial update: omitted properties stay, an attribute set to null is cleared, a field set to null removed. */
export type UpdateMinionInput<T extends HasSchema = MinionType> = { title?: string | undefined } & OptionalAttributes<
  CommonAttributes | 'updatedBy'
> & { fields?: UpdateFieldsOf<T> | null | undefined }
