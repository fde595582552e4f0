import { coreError } from '@minions/core'
import { type OperationRunner, operationRef } from '@minions/core/operations'
import type { LangfusePrompt } from '@minions/exporters'
import { Type } from 'typebox'

const VersionNumber = Type.Union([Type.Integer(), Type.Null()])

const getPrompt = operationRef(
  'prompts.get',
  Type.Object({
    id: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    fields: Type.Object({ changelog: Type.Optional(Type.String()) }),
  }),
)
const exportPrompt = operationRef('prompts.export', Type.Unsafe<LangfusePrompt>({ type: 'object', required: ['name'] }))
const listLabels = operationRef(
  'prompts.listLabels',
  Type.Array(Type.Object({ label: Type.String(), targets: Type.Array(Type.Object({ version: VersionNumber })) })),
)
const latestVersion = operationRef('prompts.latest', Type.Object({ version: VersionNumber }))
const resolveLabel = operationRef(
  'prompts.resolveLabel',
  Type.Object({ fields: Type.Object({ versionNumber: Type.Optional(Type.Integer()) }) }),
)

/** A prompt in the format of Langfuse: the version of a label, `production` by default, or a given version. */
export async function readPrompt(run: OperationRunner, prompt: string, label: string | null, version: string | null) {
  const number = version === null ? await labelled(run, prompt, label ?? 'production') : wholeNumber(version)
  const minion = await run(getPrompt, { prompt, version: number })
  const exported = await run(exportPrompt, { prompt, version: number, format: 'langfuse' })
  const labels = await run(listLabels, { prompt })
  const latest = await run(latestVersion, { prompt })
  return {
    ...exported,
    id: minion.id,
    name: minion.name ?? exported.name,
    version: number,
    labels: [
      ...labels.filter(({ targets }) => targets[0]?.version === number).map((one) => one.label),
      ...(latest.version === number ? ['latest'] : []),
    ],
    commitMessage: minion.fields.changelog ?? null,
    createdAt: minion.createdAt,
    updatedAt: minion.updatedAt,
    resolutionGraph: null,
  }
}

/** The number of the version that a label points to. */
async function labelled(run: OperationRunner, prompt: string, label: string): Promise<number> {
  const { fields } = await run(resolveLabel, { prompt, label })
  return fields.versionNumber ?? 0
}

function wholeNumber(version: string): number {
  if (/^\d{1,9}$/.test(version)) return Number(version)
  throw coreError('VALIDATION_FAILED', `"${version.slice(0, 40)}" is not the number of a version.`)
}
