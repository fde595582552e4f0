import { type TSchema, Type } from 'typebox'
import type { JsonObject } from '../json/json-value.js'

/** Schemas of the properties of an input, each with the description and the example that every door shows. */
export const property = {
  text: (description: string, example: string, rules: { minLength?: number; maxLength?: number } = {}) =>
    Type.String({ ...rules, description, examples: [example] }),
  whole: (description: string, example: number, rules: { minimum?: number; maximum?: number } = {}) =>
    Type.Integer({ ...rules, description, examples: [example] }),
  /** Optional, as every flag is. */
  flag: (description: string, example = true) => Type.Optional(Type.Boolean({ description, examples: [example] })),
  list: <Item extends TSchema>(item: Item, description: string, ...example: unknown[]) =>
    Type.Array(item, { description, examples: [example] }),
  /** One of a list of words. */
  choice: <Word extends string>(
    words: readonly Word[],
    description: string,
    example: NoInfer<Word>,
    rules: { default?: NoInfer<Word> } = {},
  ) => Type.Enum<Word[]>(words, { ...rules, description, examples: [example] }),
  /** Optional, and cleared with null. */
  nullable: <Schema extends TSchema>(schema: Schema, description: string, example: unknown) =>
    Type.Optional(Type.Union([schema, Type.Null()], { description, examples: [example] })),
  /** Any JSON object. */
  record: (description: string, example: JsonObject) =>
    Type.Unsafe<JsonObject>({ type: 'object', description, examples: [example] }),
} as const
