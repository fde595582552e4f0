type Json = Readonly<Record<string, unknown>>

/** Keywords whose value maps names to schemas. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'propertyNames',
  'contains',
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
])

/** Keywords that describe the properties of an object. */
const OBJECT_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', '$ref']

/** The schemas of an OpenAPI document: schemas with a title appear once, under that title, and are referenced. */
export class Components {
  readonly schemas: Record<string, Json> = {}
  readonly #names = new Map<object, string>()

  /** A schema as it appears in the document. */
  schema(source: object): Json {
    const { title, $defs, $ref, ...rest } = source as Json
    if (typeof $defs === 'object') for (const [name, schema] of Object.entries($defs ?? {})) this.#define(name, schema)
    // TypeBox refers to definitions by their bare name.
    if (typeof $ref === 'string') return { $ref: $ref.startsWith('#') ? $ref : reference($ref) }
    return typeof title === 'string' ? { $ref: reference(this.#named(source, title)) } : this.#convert(rest)
  }

  #define(name: string, schema: object): void {
    if (Object.hasOwn(this.schemas, name)) return
    // It may refer to itself.
    this.schemas[name] = {}
    this.schemas[name] = this.schema(schema)
  }

  #named(source: object, title: string): string {
    const known = this.#names.get(source)
    if (known !== undefined) return known
    const converted = this.#convert(source as Json)
    const name = this.#freeName(title.replace(/[^A-Za-z0-9]/g, '') || 'Schema', converted)
    this.#names.set(source, name)
    this.schemas[name] = converted
    return name
  }

  /** The title, followed by a number if another schema has it. */
  #freeName(title: string, schema: Json): string {
    const text = JSON.stringify(schema)
    for (let number = 1; ; number++) {
      const name = number === 1 ? title : `${title}${number}`
      const taken = Object.hasOwn(this.schemas, name) ? this.schemas[name] : undefined
      if (taken === undefined || JSON.stringify(taken) === text) return name
    }
  }

  #convert(schema: Json): Json {
    const source = Array.isArray(schema.items) ? asTuple(schema, schema.items) : asOpen(schema)
    return Object.fromEntries(
      Object.entries(source).flatMap(([keyword, value]) => {
        // An id would become the base of the references in the document.
        if (keyword === '$id' || keyword === '$schema') return []
        return [[keyword, this.#convertValue(keyword, value)]]
      }),
    )
  }

  #convertValue(keyword: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (MAPS.has(keyword)) {
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, this.#convertSchema(schema)]))
    }
    if (!SCHEMAS.has(keyword)) return value
    return Array.isArray(value) ? value.map((schema) => this.#convertSchema(schema)) : this.schema(value)
  }

  #convertSchema(schema: unknown): unknown {
    return typeof schema === 'object' && schema !== null ? this.schema(schema) : schema
  }
}

function reference(name: string): string {
  return `#/components/schemas/${name}`
}

/** A tuple of the current draft, converted from older drafts; OpenAPI validators require `items` to be a schema. */
function asTuple({ additionalItems, ...schema }: Json, items: readonly unknown[]): Json {
  const closed = additionalItems === false && { maxItems: items.length }
  return { ...schema, prefixItems: items, items: closed ? {} : (additionalItems ?? {}), ...closed }
}

/** Type generators take an unspecified object for one without properties. */
function asOpen(schema: Json): Json {
  const isBare = schema.type === 'object' && !OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))
  return isBare ? { ...schema, additionalProperties: true } : schema
}
