import type { TSchema } from 'typebox'
import { NodeRecordSchema, RuleRecordSchema, WorkspaceRecordSchema } from '../graph/records.js'

/** The schemas that are published as JSON Schema, by the name of their file in `schemas/`. */
export const publishedSchemas: Readonly<Record<string, TSchema>> = {
  node: NodeRecordSchema,
  rule: RuleRecordSchema,
  workspace: WorkspaceRecordSchema,
}
