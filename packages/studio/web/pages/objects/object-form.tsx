import { type FormEvent, useState } from 'react'
import { call } from '../../data/connection.ts'
import { keepDraft, readDraft } from '../../data/drafts.ts'
import { codeOf } from '../../data/query-client.ts'
import type { Minion, MinionRecord, MinionType } from '../../data/records.ts'
import { useAction } from '../../data/use-call.ts'
import { formErrors } from '../../forms/errors.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { tell } from '../../parts/toasts.tsx'
import { Conflict } from './conflict.tsx'
import { formValue, objectSchema, patchOf } from './object-schema.ts'

export interface ObjectFormProps {
  /** As the store has it now. */
  readonly record: MinionRecord
  readonly type: MinionType
}

/** What was typed, and what it is based on. */
interface Draft {
  readonly base: MinionRecord
  readonly value: Record<string, unknown>
}

/** Changes an object. What was saved elsewhere since the form was opened is shown, never overwritten unseen. */
export function ObjectForm({ record, type }: ObjectFormProps) {
  const draftName = `object ${record.minion.id}`
  const [{ base, value }, setDraft] = useState(
    () => readDraft<Draft>(draftName) ?? { base: record, value: formValue(record.minion) },
  )
  const [version, setVersion] = useState(0)
  const update = useAction<Minion>('objects.update', () => keepDraft(draftName, undefined))
  const patch = patchOf(base.minion, value)
  const isChanged = Object.keys(patch).length > 0
  const isStale = record.revision !== base.revision
  const change = (draft: Draft) => {
    setDraft(draft)
    const isKept = Object.keys(patchOf(draft.base.minion, draft.value)).length > 0
    keepDraft(draftName, isKept ? draft : undefined)
  }
  const begin = (from: MinionRecord, shown = formValue(from.minion)) => {
    change({ base: from, value: shown })
    setVersion((before) => before + 1)
    update.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { minion, revision } = base
    update.mutate(
      { ...patch, id: minion.id, ifRevision: revision },
      {
        onSuccess: async (saved) => {
          const now = await call<MinionRecord>('objects.getRecord', { id: saved.id })
          begin(now)
          tell('Saved.', () =>
            call('objects.update', { ...patchOf(saved, formValue(minion)), id: saved.id, ifRevision: now.revision }),
          )
        },
      },
    )
  }
  return (
    <form className="card form" onSubmit={submit} aria-label="Edit the object">
      {isStale && (
        <Conflict
          base={base.minion}
          theirs={record.minion}
          mine={patch}
          onTake={() => begin(record)}
          onKeep={() => begin(record, { ...formValue(record.minion), ...merged(record.minion, patch) })}
        />
      )}
      {codeOf(update.error) !== 'CONFLICT' && <Failure title="The changes were not saved" error={update.error} />}
      <div key={version} className="fields">
        <SchemaForm
          schema={objectSchema(type)}
          value={value}
          onChange={(next) => change({ base, value: next })}
          errors={formErrors(update.error)}
        />
      </div>
      <div className="actions">
        <button type="submit" className="primary" disabled={!isChanged || isStale || update.isPending}>
          Save
        </button>
        {isChanged && !isStale && (
          <button type="button" onClick={() => begin(record)}>
            Discard changes
          </button>
        )}
      </div>
    </form>
  )
}

/** My changes on top of theirs. */
function merged(theirs: Minion, { fields, ...attributes }: Record<string, unknown>): Record<string, unknown> {
  return { ...attributes, fields: { ...theirs.fields, ...(fields as object) } }
}
