import { useCan } from '../../data/operations.ts'
import type { Minion } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'
import { ComparisonView } from './comparison-view.tsx'
import type { PromptPartProps } from './labels-view.tsx'
import { TestMatrix } from './test-matrix.tsx'

/** The tests of a prompt, their results by version, and how two versions compare. */
export function TestsView({ prompt, versions }: PromptPartProps) {
  const can = useCan()
  const { data: tests = [], isSuccess } = useCall<readonly Minion[]>('prompts.listTests', { prompt: prompt.id })
  const latest = versions.at(-1)?.version ?? 0
  return (
    <>
      <Card title="Tests by version">
        {isSuccess && tests.length === 0 ? (
          <Empty title="There are no tests yet">
            A test gives values for the variables, and says what must come out.
          </Empty>
        ) : (
          <TestMatrix prompt={prompt} versions={versions} tests={tests} />
        )}
      </Card>
      {tests.length > 0 && versions.length > 1 && <ComparisonView versions={versions} />}
      {can('prompts.runTests') && tests.length > 0 && (
        <>
          <h3>Run the tests</h3>
          <OperationRunner name="prompts.runTests" initial={{ prompt: prompt.id, version: latest }} />
        </>
      )}
      {can('prompts.addTest') && (
        <>
          <h3>Add a test</h3>
          <OperationRunner name="prompts.addTest" initial={{ prompt: prompt.id }} />
        </>
      )}
    </>
  )
}
