import type { ComponentType } from 'react'
import { Prose } from '../parts/prose.tsx'
import {
  ChoiceInput,
  ChoicesInput,
  JsonInput,
  LinesInput,
  ListInput,
  TextInput,
  type ValueInput,
  WordsInput,
  YesNoInput,
} from './inputs.tsx'
import { type FieldKind, type JsonSchema, kindOf, labelOf, withoutNull } from './schema.ts'

/** What is wrong with values, by their paths: `fields.content`. */
export type FormErrors = Readonly<Record<string, string>>

export interface SchemaFormProps {
  readonly schema: JsonSchema
  readonly value: Readonly<Record<string, unknown>>
  readonly onChange: (value: Record<string, unknown>) => void
  readonly errors?: FormErrors
  /** Path of the object that the form is about. */
  readonly path?: string
}

const INPUTS: Readonly<Record<Exclude<FieldKind, 'group'>, ComponentType<ValueInput>>> = {
  choice: ChoiceInput,
  choices: ChoicesInput,
  'yes-no': YesNoInput,
  number: TextInput,
  text: TextInput,
  lines: LinesInput,
  words: WordsInput,
  list: ListInput,
  json: JsonInput,
}

/** A form for any object that has a schema: what is required comes first. */
export function SchemaForm({ schema, value, onChange, errors = {}, path = '' }: SchemaFormProps) {
  const required = new Set(schema.required)
  // Names arrive in the order of the alphabet; the list of those that are required keeps the order of the author.
  const order = [...required, ...Object.keys(schema.properties ?? {}).filter((name) => !required.has(name))]
  const properties = order.flatMap((name) => {
    const property = schema.properties?.[name]
    return property ? [[name, property] as const] : []
  })
  const set = (name: string, next: unknown) => {
    const { [name]: _before, ...rest } = value
    onChange(next === undefined ? rest : { ...rest, [name]: next })
  }
  return properties.map(([name, property]) => {
    const at = path === '' ? name : `${path}.${name}`
    const plain = withoutNull(property)
    const kind = kindOf(plain, name)
    const frame = { name, schema: plain, required: required.has(name), error: errors[at] }
    if (kind === 'group') {
      const inner = Object.hasOwn(value, name) ? value[name] : undefined
      return (
        <fieldset key={name} className="group">
          <legend>{labelOf(name, plain)}</legend>
          {plain.description && (
            <p className="help">
              <Prose text={plain.description} />
            </p>
          )}
          <SchemaForm
            schema={plain}
            value={isObject(inner) ? inner : {}}
            onChange={(next) => set(name, Object.keys(next).length === 0 ? undefined : next)}
            errors={errors}
            path={at}
          />
        </fieldset>
      )
    }
    const Input = INPUTS[kind]
    const current = Object.hasOwn(value, name) ? value[name] : undefined
    return <Input key={name} {...frame} value={current} onChange={(next) => set(name, next)} />
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
