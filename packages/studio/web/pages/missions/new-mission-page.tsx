import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { tenant } from '../../data/connection.ts'
import { useOperation } from '../../data/operations.ts'
import { useStore } from '../../data/store.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'

/** Starts a mission: the form of its operation, filled with an example under an id of its own. */
export function NewMissionPage() {
  const navigate = useNavigate()
  const within = useStore(tenant)
  const { data: operation } = useOperation('missions.start')
  const initial = useMemo(() => {
    const example = operation?.examples[0]?.input
    const { envelope } = Object(example) as { readonly envelope?: object }
    if (envelope === undefined) return undefined
    const fresh = { mission_id: crypto.randomUUID(), created_at: new Date().toISOString() }
    return { envelope: { ...envelope, ...fresh, ...(within !== undefined && { tenant_id: within }) } }
  }, [operation, within])
  const open = (result: unknown) => {
    const { mission_id } = result as { readonly mission_id: string }
    void navigate({ to: '/missions/$id', params: { id: mission_id } })
  }
  return (
    <>
      <PageHead title="New mission" about="It starts at once, in the program that serves this page." />
      {operation && <OperationRunner name="missions.start" initial={initial} onDone={open} />}
    </>
  )
}
