/*
 * Reads the variable names out of a template that is a literal string type. The walk visits one tag a step and gives up,
 * accepting any record, after `MaxTags` tags or on anything it does not understand, so that no template, however long,
 * can exhaust the type checker. The parser stays the judge of what is well-formed.
 */

type AnyRecord = Readonly<Record<string, unknown>>
type Empty = Record<never, unknown>

type Space = ' ' | '\t' | '\n' | '\r' | '\f' | '\v'
type TrimStart<T extends string> = T extends `${Space}${infer Rest}` ? TrimStart<Rest> : T
type TrimEnd<T extends string> = T extends `${infer Rest}${Space}` ? TrimEnd<Rest> : T
type Trim<T extends string> = TrimEnd<TrimStart<T>>

/** True for a single literal; false for `string` and for patterns such as `Hi ${string}`. */
type IsLiteral<T extends string> = Empty extends Record<T, 1> ? false : true

/** State of the walk: required names, optional names, the depth of blocks, and a step for each tag seen. */
interface Walk {
  required: string
  optional: string
  depth: readonly unknown[]
  steps: readonly unknown[]
}
interface Start {
  required: never
  optional: never
  depth: []
  steps: []
}
type MaxTags = 200

/** The walk after one more tag. */
type Step<
  S extends Walk,
  Required extends string,
  Optional extends string,
  Depth extends readonly unknown[] = S['depth'],
> = {
  required: S['required'] | Required
  optional: S['optional'] | Optional
  depth: Depth
  steps: [...S['steps'], 0]
}
type Open<S extends Walk, Name extends string> = Step<S, never, Name, [...S['depth'], 0]>
type Close<S extends Walk> = Step<S, never, never, S['depth'] extends readonly [unknown, ...infer Rest] ? Rest : []>

type Visit<Tag extends string, S extends Walk> = Tag extends `#if${Space}${infer Name}`
  ? Open<S, Subject<Trim<Name>>>
  : Tag extends `#each${Space}${infer Name}`
    ? Open<S, Subject<Trim<Name>>>
    : Tag extends `/${string}`
      ? Close<S>
      : S['depth'] extends readonly []
        ? Step<S, Subject<Tag>, never>
        : Step<S, never, Subject<Tag>>

/** The variable named by a tag; nothing for `this`, its properties, fragments and the extensions. */
type Subject<Name extends string> = Name extends 'this' | 'else' | `this.${string}` | `@${string}` | `>${string}`
  ? never
  : Name

/** True if the text ends in an odd number of backslashes, the last of which escapes the tag after it. */
type EndsInEscape<T extends string> = T extends `${infer Rest}\\`
  ? Rest extends `${infer Before}\\`
    ? EndsInEscape<Before>
    : true
  : false

type Scan<T extends string, S extends Walk> = S['steps']['length'] extends MaxTags
  ? undefined
  : T extends `${infer Before}{{${infer Rest}`
    ? EndsInEscape<Before> extends true
      ? Scan<Rest, Step<S, never, never>>
      : Rest extends `${infer Tag}}}${infer After}`
        ? Scan<After, Visit<Trim<Tag>, S>>
        : undefined
    : S

type Input<S> = S extends Walk
  ? { readonly [Name in S['required']]: unknown } & {
      readonly [Name in Exclude<S['optional'], S['required']>]?: unknown
    }
  : AnyRecord

/**
 * The variables of a literal template: placeholders outside blocks are required, names that occur only in blocks are
 * optional, other names are refused. Any other string accepts any record.
 */
export type TemplateVariables<T extends string> = T extends unknown
  ? IsLiteral<T> extends true
    ? Input<Scan<T, Start>>
    : AnyRecord
  : never

/** The same names, all optional: the variables of a lenient rendering. */
export type PartialTemplateVariables<T extends string> = Partial<TemplateVariables<T>>

/** True if a template of this type can be rendered without variables. */
export type NeedsVariables<T extends string> = Empty extends TemplateVariables<T> ? false : true
