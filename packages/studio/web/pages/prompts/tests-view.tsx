import type { Minion } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'
import { type ComparedVersions, ComparisonView } from './comparison-view.tsx'
import type { PromptPartProps } from './labels-view.tsx'
import { TestMatrix } from './test-matrix.tsx'

/** The tests of a prompt, their results by version, and how two versions compare. */
export function TestsView({ prompt, versions, ...ends }: PromptPartProps & ComparedVersions) {
  const { data: tests = [], isSuccess } = useCall<readonly Minion[]>('prompts.listTests', { prompt: prompt.id })
  const latest = versions.at(-1)?.version ?? 0
  return (
    <>
      <Card title="Tests by version">
        {isSuccess && tests.length === 0 ? (
          <Empty title="No tests yet">
            A test sets the variables and states what the answer must be like. Add one below.
          </Empty>
        ) : (
          <TestMatrix prompt={prompt} versions={versions} tests={tests} />
        )}
      </Card>
      {tests.length > 0 && versions.length > 1 && <ComparisonView versions={versions} {...ends} />}
      {tests.length > 0 && (
        <OperationRunner
          title="Run the tests"
          name="prompts.runTests"
          fixed={{ prompt: prompt.id }}
          initial={{ version: latest }}
        />
      )}
      <OperationRunner title="Add a test" name="prompts.addTest" fixed={{ prompt: prompt.id }} />
    </>
  )
}
