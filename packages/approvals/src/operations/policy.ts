import { MinionsError } from '@minions/core'
import { asPage, pageInput, pageOf, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { ExplanationSchema, RulesSchema } from '../policy/policy.js'
import { PolicyCallSchema } from '../policy/rule.js'
import { PolicyVersionSchema, TestsSchema } from '../policy/versions.js'
import { operation } from './inputs.js'

const rules = [{ name: 'ask-before-search', action: 'ask', kind: 'tool', call: 'external_search' }] as const
const tests = [
  { title: 'A search is asked for', call: { kind: 'tool', name: 'external_search' }, expect: 'ask' },
] as const
const published = { given: [['policy.publish', { rules, tests }]], by: 'ada' } as const

/** Maximum number of pairs of a given rule and test; published policies have their own limits. */
const MOST_JUDGED = 20_000

export const explain = operation({
  name: 'policy.explain',
  summary: 'Explain what the policy decides on a call, by which rule and why',
  description: 'No one is asked and no call is made.',
  access: 'read',
  input: PolicyCallSchema.properties,
  output: ExplanationSchema,
  examples: [{ ...published, title: 'A search', input: { kind: 'tool', name: 'external_search' } }],
  async run(call, { approvals }) {
    const { decidedBy: _, ...explanation } = await approvals.policy.explain(call)
    return explanation
  },
})

export const get = operation({
  name: 'policy.get',
  summary: 'Get the policy in force',
  access: 'read',
  input: {},
  output: PolicyVersionSchema,
  examples: [{ ...published, title: 'The latest version', input: {} }],
  run: (_, { approvals }) => approvals.policy.current(),
})

export const history = operation({
  name: 'policy.history',
  summary: 'List the versions of the policy, the newest first',
  access: 'read',
  input: pageInput,
  output: pageOf(PolicyVersionSchema),
  examples: [{ ...published, title: 'All versions', input: {} }],
  run: async (page, { approvals }) => asPage(await approvals.policy.history(page)),
})

export const test = operation({
  name: 'policy.test',
  summary: 'Run tests of a policy; nothing is published',
  description: `Given rules or tests may form up to ${MOST_JUDGED} pairs of a rule and a test.`,
  access: 'read',
  input: { rules: Type.Optional(RulesSchema), tests: Type.Optional(TestsSchema) },
  output: Type.Object({
    passed: Type.Boolean(),
    failures: Type.Array(Type.Object({ title: Type.String(), message: Type.String() })),
  }),
  examples: [
    { ...published, title: 'The current version', input: {} },
    { title: 'Rules that are not published', input: { rules: [...rules], tests: [...tests] } },
  ],
  async run(input, { approvals }) {
    const current = await approvals.policy.current()
    const { rules = current.rules, tests = current.tests } = input
    const isGiven = input.rules !== undefined || input.tests !== undefined
    if (isGiven && rules.length * tests.length > MOST_JUDGED) throw tooMany(rules.length, tests.length)
    const failures = await approvals.policy.test(rules, tests)
    return { passed: failures.length === 0, failures }
  },
})

export const publish = operation({
  name: 'policy.publish',
  summary: 'Publish rules as the next version of the policy, if its tests pass',
  access: 'admin',
  input: {
    rules: RulesSchema,
    tests: Type.Optional(TestsSchema),
    note: Type.Optional(property.text('What changed, and why.', 'Searches cost now.', { maxLength: 2000 })),
    ifVersion: Type.Optional(property.whole('Fail unless this is the current version.', 1, { minimum: 0 })),
  },
  output: PolicyVersionSchema,
  examples: [{ title: 'One rule', by: 'ada', input: { rules: [...rules], tests: [...tests] } }],
  run: ({ rules: given, ...options }, { approvals }, { by }) => approvals.policy.publish(given, { ...options, by }),
})

function tooMany(rules: number, tests: number): Error {
  const message = `${tests} tests of ${rules} rules exceed ${MOST_JUDGED} pairs; run the tests in parts.`
  return new MinionsError('VALIDATION_FAILED', message, { details: { rules, tests, most: MOST_JUDGED } })
}
