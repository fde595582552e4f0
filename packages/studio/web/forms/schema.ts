/** As much of JSON Schema as forms understand; what they do not is entered as JSON. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  /** Of ours: the label, as it stands. */
  readonly label?: string
  /** Of ours: how a text is entered. */
  readonly widget?: 'lines' | 'date' | 'url' | 'email'
}

/** What a value is entered with. */
export type FieldKind =
  | 'choice'
  | 'choices'
  | 'yes-no'
  | 'number'
  | 'text'
  | 'lines'
  | 'words'
  | 'list'
  | 'group'
  | 'json'

/** Names of properties whose texts are long. */
const LONG = /^(content|text|body|message|description|template|instructions|reason|goal|user_goal|normalized_goal)$/i

/** A schema without the null that it may also be. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const choices = schema.anyOf ?? schema.oneOf
  const rest = choices?.filter((each) => each.type !== 'null')
  const [only] = rest ?? []
  if (choices && only && rest?.length === 1) return { ...schema, ...only, ...described(schema) }
  return schema
}

function described({ description, examples, title }: JsonSchema): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    ...(examples && { examples }),
    ...(title !== undefined && { title }),
  }
}

/** The constants that a schema allows; undefined if it allows anything else. */
export function choicesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema.enum) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const parts = (schema.anyOf ?? schema.oneOf)?.map(choicesOf)
  return parts?.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** True for a text or a number, such as the id or the number of a version. */
export function isTextOrNumber({ anyOf, oneOf }: JsonSchema): boolean {
  const types = (anyOf ?? oneOf ?? []).map(({ type }) => (type === 'integer' ? 'number' : type))
  return types.length === 2 && types.includes('string') && types.includes('number')
}

export function kindOf(schema: JsonSchema, name = ''): FieldKind {
  const choices = choicesOf(schema)
  if (choices?.every((choice) => typeof choice === 'string')) return 'choice'
  if (isTextOrNumber(schema)) return 'text'
  switch (schema.type) {
    case 'boolean':
      return 'yes-no'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return schema.widget === 'lines' || LONG.test(name) ? 'lines' : 'text'
    case 'array':
      if (schema.items && choicesOf(schema.items)?.every((choice) => typeof choice === 'string')) return 'choices'
      if (schema.items?.type !== 'string' || schema.items.enum) return 'json'
      return hasSentences(schema) ? 'list' : 'words'
    case 'object':
      return schema.properties && Object.keys(schema.properties).length > 0 ? 'group' : 'json'
    default:
      return 'json'
  }
}

/** True if an example of a list has texts of several words, which may have commas of their own. */
function hasSentences({ examples = [] }: JsonSchema): boolean {
  return examples.flat().some((example) => typeof example === 'string' && /\s/.test(example))
}

/** The schema of an object without some of its properties. */
export function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const isLeft = (name: string) => !names.includes(name)
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => isLeft(name))),
    required: schema.required?.filter(isLeft) ?? [],
  }
}

/** What a form begins with: the defaults of the schema. */
export function defaultsOf(schema: JsonSchema): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined) values[name] = property.default
    else if (property.const !== undefined) values[name] = property.const
    else if (schema.required?.includes(name) && kindOf(property, name) === 'group') values[name] = defaultsOf(property)
  }
  return values
}

/** `ifRevision` is "If revision", `user_goal` is "User goal". */
export function labelOf(name: string, { title, label }: JsonSchema = {}): string {
  if (label !== undefined) return label
  if (title && title.length < 40 && /\s/.test(title)) return title
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}
