import type { TSchema } from 'typebox'
import { ExecutionResultSchema } from './execution-result.js'
import { FieldDefinitionSchema } from './field-definition.js'
import { MinionSchema } from './minion.js'
import { MinionTypeSchema } from './minion-type.js'
import { RelationSchema } from './relation.js'

/** The schemas that are published as JSON Schema, by the name of their file in `schemas/`. */
export const publishedSchemas: Readonly<Record<string, TSchema>> = {
  'execution-result': ExecutionResultSchema,
  'field-definition': FieldDefinitionSchema,
  minion: MinionSchema,
  'minion-type': MinionTypeSchema,
  relation: RelationSchema,
}
