import type { Minion } from '../../data/records.ts'
import { Notice } from '../../parts/notice.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { formValue, patchOf } from './object-schema.ts'

export interface ConflictProps {
  /** What the form began with. */
  readonly base: Minion
  readonly theirs: Minion
  /** What I changed. */
  readonly mine: Readonly<Record<string, unknown>>
  readonly onTake: () => void
  readonly onKeep: () => void
}

/** Says what was saved elsewhere while the form was open, beside what stands in the form. */
export function Conflict({ base, theirs, mine, onTake, onKeep }: ConflictProps) {
  const changed = flat(patchOf(base, formValue(theirs)))
  const own = flat(mine)
  return (
    <Notice kind="warn" title={`${theirs.updatedBy ?? 'Another program'} saved this object in the meantime`}>
      <PlainTable titles={['Field', 'Saved version', 'Your version']}>
        {[...changed].map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text(value)}</td>
            <td>{own.has(name) ? text(own.get(name)) : 'unchanged'}</td>
          </tr>
        ))}
      </PlainTable>
      <div className="actions">
        <button type="button" onClick={onTake}>
          Discard my changes
        </button>
        <button type="button" onClick={onKeep}>
          Keep my changes
        </button>
      </div>
    </Notice>
  )
}

function flat({ fields, ...attributes }: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map([...Object.entries(attributes), ...Object.entries(Object(fields) as object)])
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '(empty)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
