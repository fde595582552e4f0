import type { Minion, MinionType } from '../../data/records.ts'
import { labelOf } from '../../forms/schema.ts'
import { Badge } from '../../parts/badge.tsx'

/** What an object says, to be read: always as text, whatever it looks like. */
export function ObjectValues({ minion, type }: { readonly minion: Minion; readonly type: MinionType | undefined }) {
  const declared = type?.schema ?? []
  const others = Object.keys(minion.fields).filter((name) => !declared.some((field) => field.name === name))
  const fields = [...declared, ...others.map((name) => ({ name, label: undefined }))]
  return (
    <dl className="card values">
      {fields.map(({ name, label = labelOf(name) }) => (
        <Value key={name} label={label} value={minion.fields[name]} />
      ))}
      <Value label="Description" value={minion.description} />
      <Value label="Tags" value={minion.tags?.join(', ')} />
      {minion.status && (
        <div>
          <dt>Status</dt>
          <dd>
            <Badge state={minion.status} />
          </dd>
        </div>
      )}
      <Value label="Priority" value={minion.priority} />
      <Value label="Due" value={minion.dueDate} />
      <Value label="Id" value={minion.id} />
    </dl>
  )
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  if (value === undefined || value === null || value === '') return null
  const isText = typeof value !== 'object'
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isText ? 'text' : 'text code'}>{isText ? String(value) : JSON.stringify(value, null, 2)}</dd>
    </div>
  )
}
