import { coreError } from '@minions/core'
import { property } from '@minions/core/operations'
import { MinionSchema, strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL } from '../labels/label-name.js'
import { SplitComparisonSchema } from '../labels/outcomes.js'
import { ProtectedLabelSchema } from '../labels/protected-labels.js'
import type { SplitShare } from '../labels/split-traffic.js'
import type { PromptsApi } from '../prompts-api.js'
import type { VersionChoice } from '../versions/version-reference.js'
import {
  Evaluated,
  exampleVersions,
  LabelName,
  operation,
  PromptName,
  RequestKey,
  reading,
  VersionName,
} from './inputs.js'
import { asLabel, asLabels, LabelSchema } from './outputs.js'

const given = exampleVersions
const staged = [...given, ['prompts.setLabel', { prompt: 'Greeting', label: 'staging', version: 1 }]] as const
const tenth = {
  prompt: 'Greeting',
  label: 'production',
  shares: [
    { version: 0, weight: 90 },
    { version: 1, weight: 10 },
  ],
}
const split = [...given, ['prompts.splitTraffic', tenth]] as const

const Label = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL,
  pattern: LABEL_PATTERN,
  description: 'A label, such as production or staging.',
  examples: ['staging'],
})

const how = {
  reason: Type.Optional(property.text('Reason, for the history.', 'Passed the gate')),
  ifMove: Type.Optional(
    property.whole('Fail unless the label was moved exactly this many times; 0: unless it was never set.', 1, {
      minimum: 0,
    }),
  ),
}

const setting = {
  atomic: true,
  input: { prompt: PromptName, label: Label, version: Type.Optional(VersionName), ...how },
  output: LabelSchema,
} as const

export const setLabel = operation({
  ...setting,
  name: 'prompts.setLabel',
  summary: 'Point an unprotected label to a version; default: the latest',
  description: 'Moving `production` publishes the version. A protected label is moved with `prompts.promote`.',
  access: 'write',
  examples: [
    { title: 'The first version to staging', given, input: { prompt: 'Greeting', label: 'staging', version: 1 } },
  ],
  async run({ prompt, label, version, ...options }, { prompts }, { by }) {
    await refuseProtected(prompts, label)
    const { id, version: chosen } = await named(prompts, prompt, version)
    return asLabel(prompts, await prompts.labels.set(id, label, chosen, { ...options, by }))
  },
})

export const promote = operation({
  ...setting,
  name: 'prompts.promote',
  summary: 'Point a label to a version, even if the label is protected',
  description: 'Only a person other than the author of the version may move a protected label to it.',
  access: 'approve',
  examples: [{ title: 'The latest version to production', given, input: { prompt: 'Greeting', label: 'production' } }],
  async run({ prompt, label, version, ...options }, { prompts }, { by }) {
    const { id, version: chosen } = await named(prompts, prompt, version)
    return asLabel(prompts, await prompts.labels.set(id, label, chosen, { ...options, by }))
  },
})

export const removeLabel = operation({
  name: 'prompts.removeLabel',
  summary: 'Remove an unprotected label from a prompt; its history stays',
  access: 'write',
  atomic: true,
  input: { prompt: PromptName, label: Label, ...how },
  output: LabelSchema,
  examples: [{ title: 'Remove staging', given: staged, input: { prompt: 'Greeting', label: 'staging' } }],
  async run({ prompt, label, ...options }, { prompts }, { by }) {
    await refuseProtected(prompts, label)
    return asLabel(prompts, await prompts.labels.remove(await prompts.resolve(prompt), label, { ...options, by }))
  },
})

export const listLabels = operation({
  name: 'prompts.listLabels',
  summary: 'List the labels of a prompt, with the versions they point to',
  ...reading,
  output: Type.Array(LabelSchema),
  examples: [{ title: 'Production and staging', given: staged, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asLabels(prompts, await prompts.labels.list(await prompts.resolve(prompt))),
})

export const labelHistory = operation({
  name: 'prompts.labelHistory',
  summary: 'List every move of the labels of a prompt, oldest first',
  access: 'read',
  input: { prompt: PromptName, label: Type.Optional(LabelName) },
  output: Type.Array(LabelSchema),
  examples: [{ title: 'Of staging', given: staged, input: { prompt: 'Greeting', label: 'staging' } }],
  run: async ({ prompt, label }, { prompts }) =>
    asLabels(prompts, await prompts.labels.history(await prompts.resolve(prompt), label)),
})

export const resolveLabel = operation({
  name: 'prompts.resolveLabel',
  summary: 'Get the version that a label refers to',
  access: 'read',
  input: { prompt: PromptName, label: LabelName, key: Type.Optional(RequestKey) },
  output: MinionSchema,
  examples: [{ title: 'What is staged', given: staged, input: { prompt: 'Greeting', label: 'staging' } }],
  run: async ({ prompt, label, key }, { prompts }) => prompts.labels.resolve(await prompts.resolve(prompt), label, key),
})

export const splitTraffic = operation({
  name: 'prompts.splitTraffic',
  summary: 'Split the traffic of a label between several versions',
  description: 'The first version is the control. A key gets the same version while the weights are unchanged.',
  access: 'approve',
  atomic: true,
  input: {
    prompt: PromptName,
    label: Label,
    shares: property.list(
      strictObject({ version: VersionName, weight: Type.Number({ minimum: 0, maximum: 100 }) }),
      'Versions with their share in per cent; all add up to 100.',
      ...tenth.shares,
    ),
    salt: Type.Optional(property.text('Decides with the key which version is used.', 'autumn', { minLength: 1 })),
    ...how,
  },
  output: LabelSchema,
  examples: [{ title: 'One in ten gets the new version', given, input: tenth }],
  async run({ prompt, label, shares, ...options }, { prompts }, { by }) {
    const id = await prompts.resolve(prompt)
    const chosen: SplitShare[] = []
    for (const { version, weight } of shares) {
      chosen.push({ version: (await named(prompts, id, version)).version ?? version, weight })
    }
    return asLabel(prompts, await prompts.labels.split(id, label, chosen, { ...options, by }))
  },
})

export const stopSplit = operation({
  ...setting,
  name: 'prompts.stopSplit',
  summary: 'End a split immediately: all traffic goes to its control, or to the named version',
  access: 'approve',
  examples: [{ title: 'Back to the control', given: split, input: { prompt: 'Greeting', label: 'production' } }],
  async run({ prompt, label, version, ...options }, { prompts }, { by }) {
    const { id, version: chosen } = await named(prompts, prompt, version)
    return asLabel(prompts, await prompts.labels.stopSplit(id, label, chosen, { ...options, by }))
  },
})

export const recordOutcome = operation({
  name: 'prompts.recordOutcome',
  summary: 'Record the outcome of a request, for the version assigned to its key',
  access: 'write',
  input: {
    prompt: PromptName,
    label: LabelName,
    key: RequestKey,
    ...Evaluated,
    renderedPrompt: Type.Optional(property.text('The text that was sent.', 'Hello Ada!')),
  },
  output: MinionSchema,
  examples: [
    {
      title: 'A helpful answer',
      given: split,
      input: { prompt: 'Greeting', label: 'production', key: 'user-1', scores: { helpful: 100 }, passed: true },
    },
  ],
  run: async ({ prompt, label, key, ...outcome }, { prompts }, { by }) =>
    prompts.labels.record(await prompts.resolve(prompt), label, key, outcome, { by }),
})

export const compareSplit = operation({
  name: 'prompts.compareSplit',
  summary: 'Compare the recorded outcomes of the versions in a split',
  access: 'read',
  input: { prompt: PromptName, label: LabelName },
  output: SplitComparisonSchema,
  examples: [{ title: 'Nothing recorded yet', given: split, input: { prompt: 'Greeting', label: 'production' } }],
  run: async ({ prompt, label }, { prompts }) => prompts.labels.compare(await prompts.resolve(prompt), label),
})

export const protectLabel = operation({
  name: 'prompts.protectLabel',
  summary: 'Protect a label on all prompts: only a person other than the author may move it',
  access: 'admin',
  atomic: true,
  input: { label: Label },
  output: ProtectedLabelSchema,
  examples: [{ title: 'Production', input: { label: 'production' } }],
  run: ({ label }, { prompts }, { by }) => prompts.labels.protect(label, { by }),
})

export const unprotectLabel = operation({
  name: 'prompts.unprotectLabel',
  summary: 'Remove the protection of a label',
  access: 'admin',
  atomic: true,
  input: { label: Label },
  output: Type.Object({ unprotected: Type.Boolean({ description: 'False when it was not protected.' }) }),
  examples: [
    {
      title: 'Production',
      given: [['prompts.protectLabel', { label: 'production' }]],
      input: { label: 'production' },
    },
  ],
  run: async ({ label }, { prompts }) => ({ unprotected: await prompts.labels.unprotect(label) }),
})

export const listProtectedLabels = operation({
  name: 'prompts.listProtectedLabels',
  summary: 'List the protected labels',
  access: 'read',
  input: {},
  output: Type.Array(ProtectedLabelSchema),
  examples: [{ title: 'One', given: [['prompts.protectLabel', { label: 'production' }]], input: {} }],
  run: (_, { prompts }) => prompts.labels.protected(),
})

/** The id of a prompt, and a version reference. */
async function named(prompts: PromptsApi, prompt: string, version: VersionChoice | undefined) {
  const reference = await prompts.resolve(prompt, version)
  return typeof reference === 'string' ? { id: reference } : { id: reference.prompt, version: reference.version }
}

async function refuseProtected(prompts: Pick<PromptsApi, 'labels'>, label: string): Promise<void> {
  const rules = await prompts.labels.protected()
  if (!rules.some((rule) => rule.label === label)) return
  throw coreError(
    'FORBIDDEN',
    `The label "${label}" is protected; move it with prompts.promote, which requires approve access.`,
    { details: { label } },
  )
}
