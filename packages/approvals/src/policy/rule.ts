import { property } from '@minions/core/operations'
import { GUARDED_KINDS } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

/** The decision of a policy on a call. */
export const POLICY_ACTIONS = ['allow', 'deny', 'ask'] as const
export type PolicyAction = (typeof POLICY_ACTIONS)[number]

const Name = Type.String({ minLength: 1, maxLength: 200 })

/** One name or several; `*` matches any text. */
function names(description: string, example: string) {
  return Type.Optional(
    Type.Union([Name, Type.Array(Name, { minItems: 1, maxItems: 100 })], {
      description: `${description}, one or several; \`*\` matches any text.`,
      examples: [example],
    }),
  )
}

const bounds = { above: Type.Optional(Type.Number()), upTo: Type.Optional(Type.Number()) }

/** The conditions of a rule on one argument; all must match. */
const ArgumentTestSchema = strictObject({
  pattern: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'A regular expression that matches somewhere in the text; other values as canonical JSON.',
    }),
  ),
  equals: Type.Optional(Type.Unknown({ description: 'The value itself.' })),
  ...bounds,
})
export type ArgumentTest = Static<typeof ArgumentTestSchema>

const milliseconds = (description: string) => Type.Integer({ minimum: 1, maximum: 366 * 86_400_000, description })

const who = (description: string) => Type.Array(Name, { minItems: 1, maxItems: 100, description })

const AskSchema = strictObject({
  approvers: Type.Optional(who('Who may decide; by default everyone with the access.')),
  expiresIn: Type.Optional(milliseconds('Milliseconds to decide; a day by default.')),
  escalate: Type.Optional(
    strictObject({
      after: milliseconds('Milliseconds after which others are notified, and may decide too.'),
      to: who('Who is then notified.'),
    }),
  ),
})

/** A rule of a policy: it matches a call that meets all its conditions. */
export const PolicyRuleSchema = strictObject({
  name: property.text('Unique name of the rule.', 'ask-before-search', { minLength: 1, maxLength: 200 }),
  action: property.choice(POLICY_ACTIONS, 'The decision on a matching call.', 'ask'),
  reason: Type.Optional(
    property.text('The reason, shown to people who are asked or refused.', 'It costs.', { maxLength: 2000 }),
  ),
  kind: Type.Optional(
    Type.Union([Type.Enum(GUARDED_KINDS), Type.Array(Type.Enum(GUARDED_KINDS), { minItems: 1 })], {
      description: 'Kinds of calls; all by default.',
      examples: ['tool'],
    }),
  ),
  call: names('The tool, skill, data scope, kind of change or label', 'crm_*'),
  version: names('Version of the skill', '1.*'),
  tenant: names('Tenant', 'acme'),
  role: names('Role of the task', 'worker'),
  sensitivity: names('Sensitivity class of the mission', 'confidential'),
  by: names('On whose behalf it is done', 'nightly-*'),
  cost: Type.Optional(
    strictObject(bounds, {
      description: 'Expected cost. An unknown cost is within all bounds, except in an `allow` rule.',
      examples: [{ above: 1 }],
    }),
  ),
  arguments: Type.Optional(
    Type.Record(Type.String(), ArgumentTestSchema, {
      description: 'Conditions on arguments by JSON Pointer; the empty pointer stands for all of them.',
      examples: [{ '/to': { pattern: '@example\\.com$' } }],
    }),
  ),
  ask: Type.Optional(AskSchema),
})
export type PolicyRule = Static<typeof PolicyRuleSchema>

/** A call as `policy.explain` and tests of a policy take it. */
export const PolicyCallSchema = strictObject({
  kind: property.choice(GUARDED_KINDS, 'What kind of call.', 'tool'),
  name: property.text('The tool, skill, data scope, kind of change or label.', 'external_search', {
    minLength: 1,
    maxLength: 1000,
  }),
  version: Type.Optional(property.text('Version of the skill.', '1.0.0', { maxLength: 200 })),
  arguments: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments of the call.', examples: [{ query: 'x' }] }),
  ),
  by: Type.Optional(property.text('On whose behalf it is done.', 'ada', { maxLength: 1000 })),
  tenant: Type.Optional(property.text('Tenant.', 'acme', { maxLength: 1000 })),
  role: Type.Optional(property.text('Role of the task.', 'researcher', { maxLength: 1000 })),
  sensitivity: Type.Optional(property.text('Sensitivity class of the mission.', 'public', { maxLength: 1000 })),
  cost: Type.Optional(Type.Number({ description: 'Expected cost.', examples: [0.5] })),
})
export type PolicyCall = Static<typeof PolicyCallSchema>

export const PolicyTestSchema = strictObject({
  title: Type.String({ minLength: 1, maxLength: 200 }),
  call: PolicyCallSchema,
  expect: Type.Enum(POLICY_ACTIONS),
  rule: Type.Optional(Type.String({ description: 'The rule that must decide.' })),
})
export type PolicyTest = Static<typeof PolicyTestSchema>
