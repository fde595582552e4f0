import { GUARDED_KINDS } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'

const closed = { additionalProperties: false } as const

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
const ArgumentTestSchema = Type.Object(
  {
    pattern: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'A regular expression that matches somewhere in the text; other values as canonical JSON.',
      }),
    ),
    equals: Type.Optional(Type.Unknown({ description: 'The value itself.' })),
    ...bounds,
  },
  closed,
)
export type ArgumentTest = Static<typeof ArgumentTestSchema>

const milliseconds = (description: string) => Type.Integer({ minimum: 1, maximum: 366 * 86_400_000, description })

const who = (description: string) => Type.Array(Name, { minItems: 1, maxItems: 100, description })

/** The conditions of an `ask` rule. */
const AskSchema = Type.Object(
  {
    approvers: Type.Optional(who('Who may decide; by default everyone with the access.')),
    expiresIn: Type.Optional(milliseconds('Milliseconds to decide; a day by default.')),
    escalate: Type.Optional(
      Type.Object(
        {
          after: milliseconds('Milliseconds after which others are notified, and may decide too.'),
          to: who('Who is then notified.'),
        },
        closed,
      ),
    ),
  },
  closed,
)

/** A rule of a policy: it matches a call that meets all its conditions. */
export const PolicyRuleSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Unique name of the rule.',
      examples: ['ask-before-search'],
    }),
    action: Type.Enum(POLICY_ACTIONS, { description: 'The decision on a matching call.', examples: ['ask'] }),
    reason: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The reason, shown to people who are asked or refused.',
        examples: ['It costs.'],
      }),
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
      Type.Object(bounds, {
        ...closed,
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
  },
  closed,
)
export type PolicyRule = Static<typeof PolicyRuleSchema>

/** A call as `policy.explain` and tests of a policy take it. */
export const PolicyCallSchema = Type.Object(
  {
    kind: Type.Enum(GUARDED_KINDS, { description: 'What kind of call.', examples: ['tool'] }),
    name: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The tool, skill, data scope, kind of change or label.',
      examples: ['external_search'],
    }),
    version: Type.Optional(Type.String({ maxLength: 200, description: 'Version of the skill.', examples: ['1.0.0'] })),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Arguments of the call.', examples: [{ query: 'x' }] }),
    ),
    by: Type.Optional(Type.String({ maxLength: 1000, description: 'On whose behalf it is done.', examples: ['ada'] })),
    tenant: Type.Optional(Type.String({ maxLength: 1000, description: 'Tenant.', examples: ['acme'] })),
    role: Type.Optional(Type.String({ maxLength: 1000, description: 'Role of the task.', examples: ['researcher'] })),
    sensitivity: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Sensitivity class of the mission.', examples: ['public'] }),
    ),
    cost: Type.Optional(Type.Number({ description: 'Expected cost.', examples: [0.5] })),
  },
  closed,
)
export type PolicyCall = Static<typeof PolicyCallSchema>

/** A test of a policy: the expected decision on a call. */
export const PolicyTestSchema = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    call: PolicyCallSchema,
    expect: Type.Enum(POLICY_ACTIONS),
    rule: Type.Optional(Type.String({ description: 'The rule that must decide.' })),
  },
  closed,
)
export type PolicyTest = Static<typeof PolicyTestSchema>
