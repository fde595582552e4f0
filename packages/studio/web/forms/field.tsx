import { type ReactNode, useId } from 'react'
import { Prose } from '../parts/prose.tsx'
import { type JsonSchema, labelOf } from './schema.ts'

export interface FieldFrame {
  readonly name: string
  readonly schema: JsonSchema
  readonly required?: boolean | undefined
  readonly error?: string | undefined
}

/** Attributes that tie an input to its label, its help and its error. */
interface InputProps {
  // Without a name: one such as "matches" would stand in place of what every form has under it.
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
  readonly required: boolean | undefined
}

/** A label with its input, its help and what is wrong with it. */
export function Field(props: FieldFrame & { readonly children: (input: InputProps) => ReactNode }) {
  const { name, schema, required, error, children } = props
  const id = useId()
  const describedBy = [schema.description && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {labelOf(name, schema)}
        {required && (
          <span className="required" aria-hidden="true">
            {' '}
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        required: required || undefined,
      })}
      {schema.description && (
        <p className="help" id={`${id}-help`}>
          <Prose text={schema.description} />
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
