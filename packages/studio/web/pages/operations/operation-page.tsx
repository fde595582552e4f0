import { useParams, useSearch } from '@tanstack/react-router'
import { useOperation } from '../../data/operations.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Prose } from '../../parts/prose.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { OperationRunner } from './operation-runner.tsx'

/** One operation: its form, and what it gives. */
export function OperationPage() {
  const { name } = useParams({ from: '/operations/$name' })
  const { input } = useSearch({ from: '/operations/$name' })
  const { data, error } = useOperation(name)
  if (error) return <UnreadyPage error={error} what="The operation" />
  return (
    <>
      <PageHead title={name} about={data?.summary} />
      {data?.description !== undefined && (
        <p>
          <Prose text={data.description} />
        </p>
      )}
      <OperationRunner key={name} name={name} initial={parsed(input)} />
    </>
  )
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
