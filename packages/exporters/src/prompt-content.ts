import type { BodyFields, VariableType } from '@minions/prompts'

/** The parts of a prompt that text formats read: any minion with a template in its `content` is accepted. */
export interface PromptContent {
  readonly fields: { readonly content: string } & BodyFields
}

/** The declared types of variables by name. */
export type DeclaredTypes = ReadonlyMap<string, VariableType>
