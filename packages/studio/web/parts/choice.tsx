export interface ChoiceProps {
  readonly label: string
  /** Stands for no choice: "Any state". */
  readonly any: string
  readonly value: string | undefined
  readonly options: readonly (string | { readonly value: string; readonly label: string })[]
  readonly onChoose: (value: string | undefined) => void
}

/** A filter with one of several values, or none. */
export function Choice({ label, any, value = '', options, onChoose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChoose(target.value || undefined)}>
      <option value="">{any}</option>
      {options.map((option) => {
        const each = typeof option === 'string' ? { value: option, label: option.replaceAll('_', ' ') } : option
        return (
          <option key={`${each.value} ${each.label}`} value={each.value}>
            {each.label}
          </option>
        )
      })}
    </select>
  )
}
