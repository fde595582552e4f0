import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import type { Minion, MinionType } from '../../data/records.ts'
import { useAction, useCall } from '../../data/use-call.ts'
import { formErrors } from '../../forms/errors.ts'
import { defaultsOf } from '../../forms/schema.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { NotAllowed } from '../../parts/not-allowed.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { tell } from '../../parts/toasts.tsx'
import { objectSchema } from './object-schema.ts'
import { typeOptions } from './type-options.ts'

/** Creates an object of a type that is chosen first. */
export function NewObjectPage() {
  const { type: slug = 'note' } = useSearch({ from: '/objects/new' })
  const navigate = useNavigate({ from: '/objects/new' })
  const can = useCan()
  const { data: types = [] } = useCall<readonly MinionType[]>('types.list')
  const type = types.find((each) => each.slug === slug)
  if (!can('objects.create')) {
    return (
      <>
        <PageHead title="New object" />
        <NotAllowed operation="objects.create" />
      </>
    )
  }
  return (
    <>
      <PageHead title="New object" about={type?.description} />
      <div className="field narrow">
        <label htmlFor="new-type">Type</label>
        <select
          id="new-type"
          value={slug}
          onChange={({ target }) => navigate({ search: { type: target.value }, replace: true })}
        >
          {typeOptions(types).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {type && <NewObjectForm key={type.id} type={type} />}
    </>
  )
}

function NewObjectForm({ type }: { readonly type: MinionType }) {
  const schema = objectSchema(type)
  const navigate = useNavigate()
  const [value, setValue] = useState<Record<string, unknown>>(() => defaultsOf(schema))
  const create = useAction<Minion>('objects.create')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { ...value, type: type.slug },
      {
        onSuccess: ({ id, title }) => {
          tell(`“${title}” was created.`, () => call('objects.delete', { id }))
          void navigate({ to: '/objects/$id', params: { id } })
        },
      },
    )
  }
  return (
    <form className="card form" onSubmit={submit} aria-label={`New ${type.name}`}>
      <Failure title="The object was not created" error={create.error} />
      <div className="fields">
        <SchemaForm schema={schema} value={value} onChange={setValue} errors={formErrors(create.error)} />
      </div>
      <button type="submit" className="primary" disabled={create.isPending}>
        Create
      </button>
    </form>
  )
}
