import type { Operation } from '@minions/core/operations'

/** The parts of a JSON Schema that determine how its value is written in a query. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
}

/** How a property is written in a query: as a string, number or boolean, several of them, or JSON. */
export interface ParameterKind {
  readonly type: 'string' | 'number' | 'boolean' | 'json'
  readonly isList: boolean
}

/** The properties of the input of an operation, by name. */
export function propertiesOf(input: Operation['input']): Readonly<Record<string, object>> {
  return (input as { properties?: Record<string, object> }).properties ?? {}
}

/** Determines how a property is written in a query. What may be a string is one; null can only be sent in a body. */
export function parameterKind(schema: object): ParameterKind {
  const shapes = alternatives(schema as Shape)
  const [only, ...others] = shapes
  if (only?.type === 'array' && others.length === 0) {
    const type = scalar(alternatives(only.items ?? {}))
    return type === 'json' ? { type, isList: false } : { type, isList: true }
  }
  return { type: scalar(shapes), isList: false }
}

function alternatives(shape: Shape): readonly Shape[] {
  return (shape.anyOf?.flatMap(alternatives) ?? [shape]).filter(({ type }) => type !== 'null')
}

function scalar(shapes: readonly Shape[]): ParameterKind['type'] {
  const kinds = new Set(shapes.map(kindOf))
  if (kinds.has('json') || kinds.size === 0) return 'json'
  if (kinds.has('string')) return 'string'
  return kinds.size === 1 ? ([...kinds][0] ?? 'json') : 'json'
}

function kindOf({ type, enum: values, const: constant }: Shape): ParameterKind['type'] {
  const listed = values ?? (constant === undefined ? undefined : [constant])
  if (listed?.every((value) => typeof value === 'string') || type === 'string') return 'string'
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}
