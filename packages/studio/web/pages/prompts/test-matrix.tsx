import { useQueries } from '@tanstack/react-query'
import { call } from '../../data/connection.ts'
import type { PromptVersion } from '../../data/prompts.ts'
import type { Minion, Relation } from '../../data/records.ts'
import { type CallKey, type Page, useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import type { PromptPartProps } from './labels-view.tsx'

/** Versions that a matrix shows, the latest ones. */
const MOST_VERSIONS = 6

export interface TestMatrixProps extends PromptPartProps {
  readonly tests: readonly Minion[]
}

/** Tests down, versions across: the latest result of each. */
export function TestMatrix({ prompt, versions, tests }: TestMatrixProps) {
  const shown = versions.slice(-MOST_VERSIONS)
  const results = useResults(prompt.id, shown)
  const ids = [...results.values()].flatMap((list) => list.map(({ id }) => id))
  const { data: relations } = useCall<Page<Relation>>(
    'relations.find',
    { sourceIds: ids, types: ['references'], limit: Math.max(1, ids.length * 2) },
    { enabled: ids.length > 0, keepPrevious: true },
  )
  const isAbout = (result: Minion, id: string) =>
    relations?.items.some(({ sourceId, targetId }) => sourceId === result.id && targetId === id) ?? false
  const latest = (test: Minion, version: PromptVersion) =>
    results.get(version.id)?.findLast((result) => isAbout(result, test.id))
  return (
    <PlainTable titles={['Test', ...shown.map(({ version }) => `Version ${version}`)]}>
      {tests.map((test) => (
        <tr key={test.id}>
          <th scope="row">{test.title}</th>
          {shown.map((version) => (
            <td key={version.id}>
              <Outcome result={latest(test, version)} />
            </td>
          ))}
        </tr>
      ))}
    </PlainTable>
  )
}

/** Results by version, oldest first. */
function useResults(prompt: string, versions: readonly PromptVersion[]): ReadonlyMap<string, readonly Minion[]> {
  return useQueries({
    queries: versions.map(({ version }) => ({
      queryKey: ['call', 'prompts.listResults', { prompt, version }, undefined] satisfies CallKey,
      queryFn: () => call<readonly Minion[]>('prompts.listResults', { prompt, version }),
    })),
    combine: (answers) => new Map(answers.map(({ data = [] }, index) => [versions[index]?.id ?? '', data])),
  })
}

function Outcome({ result }: { readonly result: Minion | undefined }) {
  if (!result) return <span className="faint">not run</span>
  const scores = Object.entries(Object(result.fields.scores) as Record<string, number>)
  return (
    <>
      {typeof result.fields.passed === 'boolean' && <Badge state={result.fields.passed ? 'passed' : 'failed'} />}{' '}
      <span className="faint">{scores.map(([dimension, score]) => `${dimension} ${score}`).join(', ')}</span>
    </>
  )
}
