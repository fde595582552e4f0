import type { BodyFields, VariableType } from '@minions/prompts'

/** What the text formats read of a prompt: any minion with a template in its `content` will do. */
export interface PromptContent {
  readonly fields: { readonly content: string } & BodyFields
}

/** The types of variables by name, as far as they are declared. */
export type DeclaredTypes = ReadonlyMap<string, VariableType>
