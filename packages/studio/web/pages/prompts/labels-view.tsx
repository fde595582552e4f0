import type { Prompt, PromptLabel, PromptVersion } from '../../data/prompts.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Time } from '../../parts/time.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'

export interface PromptPartProps {
  readonly prompt: Prompt
  readonly versions: readonly PromptVersion[]
}

/** Which version each label stands for, and how traffic is split. */
export function LabelsView({ prompt, versions }: PromptPartProps) {
  const { data: labels = [] } = useCall<readonly PromptLabel[]>('prompts.listLabels', { prompt: prompt.id })
  const latest = versions.at(-1)?.version ?? 0
  return (
    <>
      <Card title="Labels">
        {labels.length === 0 && (
          <Empty title="No labels yet">Set one below; programs load a prompt by its label.</Empty>
        )}
        <ul className="rows">
          {labels.map(({ label, targets, at, by }) => (
            <li key={label}>
              <strong>{label}</strong>
              <span>
                {targets
                  .map(({ version, weight }) =>
                    weight === 100 ? `version ${version}` : `${weight}% version ${version}`,
                  )
                  .join(', ')}
              </span>
              <span className="faint">{by}</span>
              <Time at={at} />
            </li>
          ))}
        </ul>
      </Card>
      <OperationRunner
        title="Set a label"
        name="prompts.setLabel"
        fixed={{ prompt: prompt.id }}
        initial={{ version: latest }}
      />
      <OperationRunner
        title="Split traffic between versions"
        name="prompts.splitTraffic"
        fixed={{ prompt: prompt.id }}
      />
    </>
  )
}
