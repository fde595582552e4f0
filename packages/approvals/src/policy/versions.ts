import { setImmediate } from 'node:timers/promises'
import { type Clock, isMinionsError, MinionsError, type Page } from '@minions/core'
import { type AuditNote, guardMethods, readClock, takeList } from '@minions/core/plugin'
import { defineCollection, type StoreAccess, type StoreReader, unlessConflict } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import type { Auditor } from '../approvals/auditor.js'
import { approvalsError } from '../errors.js'
import { Policy, type PolicyVerdict, RulesSchema } from './policy.js'
import { type PolicyCall, type PolicyRule, type PolicyTest, PolicyTestSchema } from './rule.js'

export const TestsSchema = Type.Array(PolicyTestSchema, {
  maxItems: 1000,
  description: 'Expected decisions on calls. The policy is published only if all tests pass.',
  examples: [[{ title: 'A search is asked for', call: { kind: 'tool', name: 'external_search' }, expect: 'ask' }]],
})

/** An app has one policy. */
const THE_POLICY = 'default'

/** Its id in the audit log. */
const AUDIT_ID = 'policy'

/** A version of the policy. Versions never change; the highest number is in force. */
export const PolicyVersionSchema = Type.Object({
  policy: Type.Literal(THE_POLICY),
  version: Type.Integer({ minimum: 0, description: 'Counts from 1; 0 for the rules that the app was started with.' }),
  rules: RulesSchema,
  tests: TestsSchema,
  by: Type.Union([Type.String(), Type.Null()]),
  at: Type.Union([Type.String(), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()], { description: 'What changed, and why.' }),
})
export type PolicyVersion = Static<typeof PolicyVersionSchema>

export const policyVersionsCollection = defineCollection({
  name: 'policy_versions',
  schema: PolicyVersionSchema,
  key: ['policy', 'version'],
  columns: { version: { type: 'number', required: true } },
  indexes: [['version']],
})

export interface PublishOptions {
  readonly tests?: readonly PolicyTest[] | undefined
  readonly by?: string | undefined
  readonly note?: string | undefined
  /** Fail with `CONFLICT` unless this is the current version. */
  readonly ifVersion?: number | undefined
}

/** The policy of an app: the rules that it was started with until a version is published. */
export class PolicyVersions {
  readonly #storage: StoreAccess
  readonly #clock: Clock
  readonly #first: Policy
  readonly #audit: Auditor | undefined
  /** The cached version; the rules of a number never change. */
  #last: Policy

  /** With `audit`, each version, and each refused one, is recorded. */
  constructor(storage: StoreAccess, clock: Clock, rules: readonly PolicyRule[], audit?: Auditor) {
    this.#audit = audit
    this.#storage = storage
    this.#clock = clock
    this.#first = new Policy(rules, 0)
    this.#last = this.#first
  }

  /** The version in force. */
  async current(): Promise<PolicyVersion> {
    const unpublished = { version: 0, tests: [], by: null, at: null, note: null }
    return (await this.#latest()) ?? { policy: THE_POLICY, ...unpublished, rules: [...this.#first.rules] }
  }

  /** Versions that were published, the newest first. */
  async history(page: { readonly limit?: number; readonly cursor?: string } = {}): Promise<Page<PolicyVersion>> {
    return this.#storage.find(policyVersionsCollection, { ...page, orderBy: [{ field: 'version', direction: 'desc' }] })
  }

  /** The decision of the current policy on a call; inside a transaction, pass it. */
  async explain(call: PolicyCall, storage: StoreReader = this.#storage): Promise<PolicyVerdict> {
    const latest = await this.#latest(storage)
    if (latest === undefined) return this.#first.explain(call)
    if (this.#last.version !== latest.version) this.#last = new Policy(latest.rules, latest.version)
    return this.#last.explain(call)
  }

  /** The failing tests of a policy; by default those of the current version. */
  async test(
    rules?: readonly PolicyRule[],
    tests?: readonly PolicyTest[],
  ): Promise<{ title: string; message: string }[]> {
    const current = await this.current()
    const policy = new Policy(rules ?? current.rules, current.version)
    return failuresOf(policy, takeList('The tests', tests ?? current.tests))
  }

  /**
   * Publishes rules as the next version. By default the tests of the current version are kept. Throws
   * `POLICY_INVALID`, `POLICY_TEST_FAILED`, and `CONFLICT` if another version came first.
   */
  async publish(rules: readonly PolicyRule[], options: PublishOptions = {}): Promise<PolicyVersion> {
    try {
      const published = await this.#publish(rules, options)
      const { version, note } = published
      await this.#note(options.by, { message: `Version ${version} of the policy was published: ${note ?? 'no note'}` })
      return published
    } catch (error) {
      if (isMinionsError(error)) await this.#note(options.by, { code: error.code, message: error.message })
      throw error
    }
  }

  async #note(by: string | undefined, what: Pick<AuditNote, 'code' | 'message'>): Promise<void> {
    const kind = what.code === undefined ? 'decided' : 'refused'
    await this.#audit?.({ id: AUDIT_ID, kind, at: readClock(this.#clock), by, ...what })
  }

  async #publish(rules: readonly PolicyRule[], options: PublishOptions): Promise<PolicyVersion> {
    const { by = null, note = null, ifVersion } = options
    const current = await this.current()
    if (ifVersion !== undefined && ifVersion !== current.version) throw overtaken(current)
    const policy = new Policy(rules, current.version + 1)
    const tests = [...(options.tests ?? current.tests)]
    const failures = await failuresOf(policy, tests)
    if (failures.length > 0) {
      const [first] = failures
      const message = `The policy fails ${failures.length} of ${tests.length} tests; "${first?.title}": ${first?.message}.`
      throw approvalsError('POLICY_TEST_FAILED', message, { details: { failures } })
    }
    const record: PolicyVersion = {
      policy: THE_POLICY,
      version: policy.version,
      rules: [...policy.rules],
      tests,
      by,
      at: readClock(this.#clock),
      note,
    }
    const revision = await unlessConflict(this.#storage.put(policyVersionsCollection, record, { ifAbsent: true }))
    if (revision === undefined) throw overtaken(await this.current())
    return record
  }

  async #latest(storage: StoreReader = this.#storage): Promise<PolicyVersion | undefined> {
    const orderBy = [{ field: 'version', direction: 'desc' as const }]
    return (await storage.find(policyVersionsCollection, { orderBy, limit: 1 })).items[0]
  }
}

guardMethods(PolicyVersions)

/** Yields between tests, since many rules take a while. */
async function failuresOf(policy: Policy, tests: readonly PolicyTest[]): Promise<{ title: string; message: string }[]> {
  const failures: { title: string; message: string }[] = []
  for (const test of tests) {
    await setImmediate()
    failures.push(...policy.failures([test]))
  }
  return failures
}

function overtaken({ version, by }: PolicyVersion): Error {
  const who = by === null ? '' : `, published by "${by}"`
  return new MinionsError('CONFLICT', `The policy is at version ${version}${who}; review it and publish again.`, {
    details: { version, by },
  })
}
