import type { Minions, MinionType } from '@minions/core'
import { guarded, requireFunction } from '@minions/core/plugin'
import type { Collection, Store } from '@minions/core/storage'
import { Context } from './context.js'
import type { ConformanceOptions } from './options.js'

/** One requirement of a backend, as a function that rejects if it is not met. */
export interface ConformanceCase {
  readonly group: string
  readonly name: string
  run(context: Context): Promise<void>
}

export function casesOf(
  group: string,
  cases: Readonly<Record<string, (context: Context) => Promise<void>>>,
): ConformanceCase[] {
  return casesOn(group, cases, async (context) => context)
}

type CasesOn<Subject> = Readonly<Record<string, (subject: Subject, context: Context) => Promise<void>>>

export function storeCases(group: string, collections: readonly Collection[], cases: CasesOn<Store>) {
  return casesOn(group, cases, (context) => context.open(...collections))
}

/** Cases on the change feed of a store with these collections; skipped where there is none. */
export function feedCases(group: string, collections: readonly Collection[], cases: CasesOn<Store>) {
  return casesOn(group, cases, (context) => {
    context.needsChanges()
    return context.open(...collections)
  })
}

export function casesOnClient(group: string, types: readonly MinionType[], cases: CasesOn<Minions>) {
  return casesOn(group, cases, (context) => context.client({ types }))
}

/** Cases on the change feed of a client with these types; skipped where there is none. */
export function feedCasesOnClient(group: string, types: readonly MinionType[], cases: CasesOn<Minions>) {
  return casesOn(group, cases, (context) => {
    context.needsChanges()
    return context.client({ types })
  })
}

function casesOn<Subject>(
  group: string,
  cases: CasesOn<Subject>,
  prepare: (context: Context) => Promise<Subject>,
): ConformanceCase[] {
  return Object.entries(cases).map(([name, run]) => ({
    group,
    name,
    run: async (context) => run(await prepare(context), context),
  }))
}

/** Runs a single case on its own storage; rejects if the backend does not pass. */
export const runCase = guarded('runCase', runCaseUnchecked, { callsBack: true })

async function runCaseUnchecked(testCase: ConformanceCase, options: ConformanceOptions): Promise<void> {
  requireFunction('`create` of the options', options?.create)
  requireFunction('`run` of a case', testCase?.run)
  const context = await Context.create(options)
  try {
    await testCase.run(context)
  } catch (error) {
    // The first error is the one that matters, so errors of the clean-up after it are not reported.
    await context.dispose().catch(() => {})
    throw error
  }
  await context.dispose()
}
