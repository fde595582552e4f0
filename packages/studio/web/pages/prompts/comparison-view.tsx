import type { PromptVersion } from '../../data/prompts.ts'
import { describeError } from '../../data/query-client.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { VersionChoice } from './version-choice.tsx'

interface Dimension {
  readonly dimension: string
  readonly n: number
  readonly meanA: number
  readonly meanB: number
  readonly meanDifference: number
  readonly confidenceInterval: readonly [number, number] | null
  readonly adjustedPValue: number
  readonly verdict: string
}

interface Comparison {
  readonly dimensions: readonly Dimension[]
  readonly verdict: 'a' | 'b' | 'inconclusive'
}

/** The two versions that are compared, by number, as the address says. */
export interface ComparedVersions {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly onCompare: (from: string, to: string) => void
}

export interface ComparisonViewProps extends ComparedVersions {
  readonly versions: readonly PromptVersion[]
}

/** Two versions by their stored results: differences with their intervals, and what they prove. */
export function ComparisonView({ versions, from, to, onCompare }: ComparisonViewProps) {
  const numbered = (number: string | undefined) => versions.find(({ version }) => String(version) === number)
  const first = numbered(from) ?? versions.at(-2)
  const second = numbered(to) ?? versions.at(-1)
  const { data, error } = useCall<Comparison>(
    'prompts.compare',
    { a: first?.id, b: second?.id },
    { enabled: first !== second, keepPrevious: true },
  )
  const [a, b] = [String(first?.version), String(second?.version)]
  return (
    <Card title="Comparison">
      <div className="filters">
        <VersionChoice label="Version" versions={versions} value={a} onChange={(next) => onCompare(next, b)} />
        <VersionChoice label="against" versions={versions} value={b} onChange={(next) => onCompare(a, next)} />
      </div>
      {error && (
        <Notice kind="plain" title="These versions cannot be compared yet">
          {describeError(error)}
        </Notice>
      )}
      {data && data.dimensions.length === 0 && (
        <Empty title="No test has results for both versions">Run the tests on both versions first.</Empty>
      )}
      {data && data.dimensions.length > 0 && (
        <>
          <p>
            <strong>
              {data.verdict === 'inconclusive'
                ? 'Neither version is proven better.'
                : `Version ${data.verdict === 'a' ? a : b} is proven better.`}
            </strong>
          </p>
          <PlainTable titles={['Dimension', 'Means', 'Difference, 95% interval', 'p']}>
            {data.dimensions.map((row) => (
              <tr key={row.dimension}>
                <th scope="row">
                  {row.dimension} <span className="faint">({row.n})</span>
                </th>
                <td>
                  {row.meanA.toFixed(1)} → {row.meanB.toFixed(1)}
                </td>
                <td>
                  <Interval row={row} />
                </td>
                <td>{row.adjustedPValue.toFixed(3)}</td>
              </tr>
            ))}
          </PlainTable>
        </>
      )}
    </Card>
  )
}

/** A difference from −100 to 100 as a bar, and in words. */
function Interval({ row }: { readonly row: Dimension }) {
  const [low, high] = row.confidenceInterval ?? [row.meanDifference, row.meanDifference]
  const at = (value: number) => Math.min(100, Math.max(0, 50 + value / 2))
  const words = row.confidenceInterval
    ? `${row.meanDifference.toFixed(1)}, from ${low.toFixed(1)} to ${high.toFixed(1)}`
    : `${row.meanDifference.toFixed(1)}, too few tests for an interval`
  return (
    <>
      <div className="interval" aria-hidden="true">
        <span className="zero" />
        <span
          className="range"
          style={{ left: `${Math.min(99, at(low))}%`, width: `${Math.max(1, at(high) - at(low))}%` }}
        />
      </div>
      {words}
    </>
  )
}
