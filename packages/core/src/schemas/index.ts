export { MinionTreeSchema } from '../client/minion-tree.js'
export { isAbsent } from '../fields/absent.js'
export { type CompiledType, compileType, fits, type ValidateOptions } from '../fields/compile-type.js'
export { type DefinitionProblem, definitionProblems } from '../fields/definition-problems.js'
export { EMAIL_PATTERN, URL_PATTERN } from '../fields/formats.js'
export { toJsonSchema } from '../fields/json-schema.js'
export { type CompiledPattern, compilePattern, MAX_PATTERN_LENGTH, patternProblem } from '../fields/pattern.js'
export { IdSchema } from '../ids.js'
export { isDate } from '../time/date-time.js'
export { typeProblems } from '../types/type-problems.js'
export { type CompiledSchema, compileSchema, schemaIssues } from '../validation/compile-schema.js'
export { SCHEMA_FORMATS } from '../validation/formats.js'
export { describeIssues, type Issue, isShort } from '../validation/issue.js'
export { type JsonSchema, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from '../validation/json-schema.js'
export { ownSchema } from '../validation/own-schema.js'
export type { SchemaOptions } from '../validation/read-schema.js'
export { SCHEMA_ISSUE_CODES, type SchemaIssueCode } from '../validation/schema-issue.js'
export type { SchemaInput, SchemaType } from '../validation/schema-type.js'
export {
  isStandardSchema,
  type StandardIssue,
  type StandardProps,
  type StandardResult,
  type StandardSchema,
} from '../validation/standard-schema.js'
export { described } from './described.js'
export { ExecutionResultSchema } from './execution-result.js'
export { FieldDefinitionSchema, FieldValidationSchema } from './field-definition.js'
export { MinionSchema } from './minion.js'
export { MinionTypeSchema, SLUG_PATTERN } from './minion-type.js'
export { RelationSchema } from './relation.js'
export { textMatching } from './text-matching.js'
export { CANONICAL_TIMESTAMP_PATTERN, TIMESTAMP_PATTERN, TIMESTAMP_RULE, TimestampSchema } from './timestamp.js'
export { ValidationErrorSchema, ValidationResultSchema } from './validation-result.js'
