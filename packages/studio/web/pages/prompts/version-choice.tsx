import type { PromptVersion } from '../../data/prompts.ts'

export interface VersionChoiceProps {
  readonly label: string
  readonly versions: readonly PromptVersion[]
  /** The number of the chosen version. */
  readonly value: string
  readonly onChange: (version: string) => void
}

/** Chooses a version of a prompt by its number. */
export function VersionChoice({ label, versions, value, onChange }: VersionChoiceProps) {
  return (
    <label className="check">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {versions.map(({ id, version }) => (
          <option key={id}>{version}</option>
        ))}
      </select>
    </label>
  )
}
