import { TextInput } from '../../forms/inputs.tsx'

export interface VariableInputsProps {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}

/** A value for each variable of a template; lists and objects as JSON. */
export function VariableInputs({ names, values, onChange }: VariableInputsProps) {
  return names.map((name) => (
    <TextInput
      key={name}
      name={name}
      schema={{ type: 'string', label: name }}
      value={values[name]}
      onChange={(value) => {
        const { [name]: _before, ...rest } = values
        onChange(typeof value === 'string' ? { ...rest, [name]: value } : rest)
      }}
    />
  ))
}

/** What the texts stand for: JSON lists and objects as such, everything else as it was typed. */
export function valuesOf(typed: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, readValue(text)]))
}

function readValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
