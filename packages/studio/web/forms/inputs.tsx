import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { Field, type FieldFrame } from './field.tsx'
import { choicesOf, isTextOrNumber } from './schema.ts'

export interface ValueInput extends FieldFrame {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** A text on one line, or a date, an address or a number. */
export function TextInput({ value, onChange, ...frame }: ValueInput) {
  const { schema } = frame
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  const example = schema.examples?.[0]
  return (
    <Field {...frame}>
      {(input) => (
        <input
          {...input}
          type={isNumber ? 'number' : 'text'}
          {...(isNumber && { step: schema.type === 'integer' ? 1 : 'any', min: schema.minimum, max: schema.maximum })}
          placeholder={typeof example === 'string' || typeof example === 'number' ? String(example) : undefined}
          value={value === undefined || value === null ? '' : String(value)}
          onChange={({ target }) => {
            const typed = target.value
            const number = Number(typed)
            if (typed === '') onChange(undefined)
            else if (isNumber) onChange(target.valueAsNumber)
            else
              onChange(isTextOrNumber(schema) && Number.isFinite(number) && String(number) === typed ? number : typed)
          }}
        />
      )}
    </Field>
  )
}

export function LinesInput({ value, onChange, ...frame }: ValueInput) {
  const text = value === undefined || value === null ? '' : String(value)
  return <TextArea {...frame} text={text} onType={(typed) => onChange(typed === '' ? undefined : typed)} />
}

export function ChoiceInput({ value, onChange, ...frame }: ValueInput) {
  return (
    <Field {...frame}>
      {(input) => (
        <select
          {...input}
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        >
          <option value="">{frame.required ? 'Choose …' : '–'}</option>
          {choicesOf(frame.schema)?.map((choice) => (
            <option key={String(choice)}>{String(choice)}</option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function ChoicesInput({ value, onChange, ...frame }: ValueInput) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const choices = choicesOf(frame.schema.items ?? {})?.map(String) ?? []
  const toggle = (choice: string, isOn: boolean) => {
    const next = choices.filter((each) => (each === choice ? isOn : chosen.includes(each)))
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <Field {...frame}>
      {({ id, required: _required, 'aria-invalid': _invalid, ...input }) => (
        <fieldset id={id} className="choices" {...input}>
          <legend className="sr-only">{frame.name}</legend>
          {choices.map((choice) => (
            <label key={choice} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(choice)}
                onChange={({ target }) => toggle(choice, target.checked)}
              />
              {choice}
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  )
}

export function YesNoInput({ value, onChange, ...frame }: ValueInput) {
  return (
    <Field {...frame}>
      {({ required: _required, ...input }) => (
        <input
          {...input}
          type="checkbox"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked ? true : frame.required ? false : undefined)}
        />
      )}
    </Field>
  )
}

/** A list of words, separated by commas. */
export function WordsInput({ value, onChange, ...frame }: ValueInput) {
  const [text, setText] = useSplitText(value, onChange, ',', ', ')
  return (
    <Field {...frame}>
      {(input) => (
        <input
          {...input}
          type="text"
          placeholder="comma-separated"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </Field>
  )
}

/** A list of sentences, each on a line of its own. */
export function ListInput({ value, onChange, ...frame }: ValueInput) {
  const [text, setText] = useSplitText(value, onChange, '\n', '\n')
  return <TextArea {...frame} text={text} onType={setText} placeholder="one on each line" />
}

/** The text of a list, as it was typed for as long as the list is what it says. */
function useSplitText(
  value: unknown,
  onChange: (value: unknown) => void,
  separator: string,
  glue: string,
): [text: string, change: (text: string) => void] {
  const given = Array.isArray(value) ? value.join(glue) : ''
  const [text, setText] = useState(given)
  const itemsOf = (typed: string) =>
    typed
      .split(separator)
      .map((item) => item.trim())
      .filter(Boolean)
  const change = (typed: string) => {
    setText(typed)
    const items = itemsOf(typed)
    onChange(items.length === 0 ? undefined : items)
  }
  return [itemsOf(text).join(glue) === given ? text : given, change]
}

/** Any value, as JSON. While the text is not JSON, the form keeps the value before, says so and cannot be sent. */
export function JsonInput({ value, onChange, ...frame }: ValueInput) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  const [problem, setProblem] = useState<string>()
  const change = (typed: string) => {
    setText(typed)
    if (typed.trim() === '') {
      setProblem(undefined)
      onChange(undefined)
      return
    }
    try {
      onChange(JSON.parse(typed))
      setProblem(undefined)
    } catch (error) {
      setProblem(`This is not JSON: ${(error as Error).message}`)
    }
  }
  const example = frame.schema.examples?.[0]
  return (
    <TextArea
      {...frame}
      error={problem ?? frame.error}
      obstacle={problem}
      className="code"
      spellCheck={false}
      placeholder={example === undefined ? 'JSON' : JSON.stringify(example)}
      text={text}
      onType={change}
    />
  )
}

interface TextAreaProps
  extends FieldFrame,
    Pick<ComponentProps<'textarea'>, 'className' | 'spellCheck' | 'placeholder'> {
  readonly text: string
  readonly onType: (text: string) => void
  /** Why a form with this text cannot be sent. */
  readonly obstacle?: string | undefined
}

/** A field of several lines that grows with its text. */
function TextArea({ text, onType, obstacle, className, spellCheck, placeholder, ...frame }: TextAreaProps) {
  const element = useRef<HTMLTextAreaElement>(null)
  useEffect(() => element.current?.setCustomValidity(obstacle ?? ''), [obstacle])
  return (
    <Field {...frame}>
      {(input) => (
        <textarea
          {...input}
          {...{ className, spellCheck, placeholder }}
          ref={element}
          rows={Math.min(16, Math.max(3, text.split('\n').length + 1))}
          value={text}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </Field>
  )
}
