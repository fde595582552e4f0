import { type FormEvent, useState } from 'react'
import { call } from '../../data/connection.ts'
import { useOperation } from '../../data/operations.ts'
import type { Minion, Relation } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { ChoiceInput, TextInput } from '../../forms/inputs.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'

/** Objects that are offered for a text. */
const OFFERED = 6

/** Links an object to another one, which is found by its words. */
export function NewRelation({ id }: { readonly id: string }) {
  const [type, setType] = useState<unknown>('relates_to')
  const [text, setText] = useState<unknown>()
  const words = typeof text === 'string' ? text : ''
  const { data: operation } = useOperation('relations.link')
  const { data } = useCall<Page<Minion>>('objects.search', { text: words, limit: OFFERED }, { enabled: words !== '' })
  const found = words === '' ? [] : (data?.items ?? []).filter((each) => each.id !== id)
  const link = (target: Minion) =>
    orTell(async () => {
      const created = await call<Relation>('relations.link', { sourceId: id, targetId: target.id, type })
      tell(`Linked to “${target.title}”.`, () => call('relations.unlink', { id: created.id }))
      setText(undefined)
    })
  return (
    <form className="card" aria-label="New relation" onSubmit={(event: FormEvent) => event.preventDefault()}>
      <h2>New relation</h2>
      <ChoiceInput
        name="Relation"
        schema={operation?.input.properties?.type ?? {}}
        value={type}
        onChange={setType}
        required
      />
      <TextInput
        name="Object"
        schema={{ type: 'string', description: 'Type a few words of its text.' }}
        value={text}
        onChange={setText}
      />
      <ul className="rows">
        {found.map((target) => (
          <li key={target.id}>
            <span>{target.title}</span>
            <button type="button" className="small" aria-label={`Link to ${target.title}`} onClick={() => link(target)}>
              Link
            </button>
          </li>
        ))}
      </ul>
    </form>
  )
}
