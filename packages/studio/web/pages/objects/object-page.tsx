import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import type { MinionRecord, MinionType } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { ObjectActions } from './object-actions.tsx'
import { ObjectForm } from './object-form.tsx'
import { ObjectHistory } from './object-history.tsx'
import { ObjectValues } from './object-values.tsx'

const ObjectRelations = lazily(async () => (await import('./object-relations.tsx')).ObjectRelations, 'Loading …')

/** One object: what it says, what it relates to, and what happened to it. */
export function ObjectPage() {
  const { id } = useParams({ from: '/objects/$id' })
  const { view: named } = useSearch({ from: '/objects/$id' })
  const navigate = useNavigate({ from: '/objects/$id' })
  const can = useCan()
  const { data, error } = useCall<MinionRecord>('objects.getRecord', { id })
  const { data: types = [] } = useCall<readonly MinionType[]>('types.list')
  if (!data) return <UnreadyPage error={error} what="The object" />
  const { minion } = data
  const type = types.find((each) => each.id === minion.minionTypeId)
  const isEditable = can('objects.update') && !minion.deletedAt
  const tabs = {
    content: 'Content',
    ...(isEditable && { edit: 'Edit' }),
    relations: 'Relations',
    history: 'History',
    json: 'JSON',
  }
  const view = tabOf(tabs, named)
  return (
    <>
      <PageHead
        title={minion.title}
        about={
          <>
            <Link to="/objects" search={type ? { type: type.slug } : {}}>
              {type?.name ?? minion.minionTypeId}
            </Link>
            {', updated '}
            <Time at={minion.updatedAt} />
            {minion.updatedBy && ` by ${minion.updatedBy}`} {minion.deletedAt && <Badge state="deleted" />}
          </>
        }
      >
        <ObjectActions minion={minion} />
      </PageHead>
      <Tabs
        label="Views of the object"
        tabs={tabs}
        chosen={view}
        onChoose={(next) => navigate({ search: { view: next === 'content' ? undefined : next } })}
      >
        {view === 'content' && <ObjectValues minion={minion} type={type} />}
        {view === 'edit' && type && isEditable && <ObjectForm key={id} record={data} type={type} />}
        {view === 'relations' && <ObjectRelations minion={minion} />}
        {view === 'history' && <ObjectHistory id={id} />}
        {view === 'json' && <JsonView value={minion} label="The record" />}
      </Tabs>
    </>
  )
}
