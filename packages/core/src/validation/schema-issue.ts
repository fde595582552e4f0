import { coreError } from '../errors/codes.js'
import { pointerTo } from '../json/pointer.js'
import { describeIssues, type Issue } from './issue.js'

/** Reasons for refusing a schema. */
export const SCHEMA_ISSUE_CODES = {
  TYPE: 'A schema must be an object.',
  JSON: 'A schema must be JSON.',
  DEPTH: 'A schema may have at most 32 levels.',
  SIZE: 'A schema may have at most 256 KB.',
  DIALECT: '`$schema` names a draft other than 2020-12 or draft-07, or parts belong to different drafts.',
  META_SCHEMA: 'A keyword has a value that its draft does not allow.',
  FORMAT: 'The format is unknown and would not be checked.',
  PATTERN: 'The pattern is not a regular expression, or cannot be matched in linear time.',
  KEYWORD: 'The keyword would not be checked, or not as its draft specifies.',
  REFERENCE: 'A reference has no target inside the schema, or an ambiguous one.',
  RECURSION: 'The schema refers to itself endlessly, or to too many schemas.',
  UNUSABLE: 'The schema cannot be used for another reason.',
}
export type SchemaIssueCode = keyof typeof SCHEMA_ISSUE_CODES

export function keywordIssue(parent: string, keyword: string, code: SchemaIssueCode, message: string): Issue {
  return { pointer: pointerTo(parent, keyword), code, message }
}

export function unusableSchema(issues: readonly Issue[]): Error {
  return coreError('INVALID_SCHEMA', `The schema cannot be used: ${describeIssues(issues, 'it')}.`, {
    details: { errors: issues },
  })
}
