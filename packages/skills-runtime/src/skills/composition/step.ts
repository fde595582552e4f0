import type { JsonObject } from '@minions/core/json'

/** The argument of a step's input function. */
export interface StepScope {
  readonly params: Readonly<Record<string, unknown>>
  /** Results of earlier steps by step id. */
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * The input of a step. Strings may contain references: `${params.area}`, `${detect.result.pose}`. A string that is one
 * reference becomes the value itself; `$${` stands for `${`.
 */
export type StepInput = JsonObject | ((scope: StepScope) => JsonObject)

/**
 * What happens when a step fails: the whole skill fails (`abort`), the step is retried (`retry`: once, or the given
 * number of times), or another skill or a fixed result replaces it (`fallback`). A fallback skill gets the input of the
 * step by default.
 */
export type StepErrorPolicy =
  | 'abort'
  | 'retry'
  | { readonly retry: number }
  | { readonly fallback: string; readonly input?: StepInput }
  | { readonly fallback: JsonObject }

/** One step of a composed skill. */
export interface SkillStep {
  readonly skill: string
  /** The name under which later steps find the result; the skill's name by default. */
  readonly id?: string
  readonly input?: StepInput
  readonly onError?: StepErrorPolicy
}

/** Steps that run at the same time; none of them sees the result of another. */
export interface ParallelSteps {
  readonly parallel: readonly SkillStep[]
}

/** A policy in normalised form. */
export type PlannedPolicy =
  | { readonly kind: 'abort' }
  | { readonly kind: 'retry'; readonly retries: number }
  | { readonly kind: 'fallback'; readonly skill: string; readonly input: StepInput }
  | { readonly kind: 'fallback'; readonly result: JsonObject }

/** A step with all defaults filled in. */
export interface PlannedStep {
  readonly id: string
  readonly skill: string
  readonly input: StepInput
  readonly onError: PlannedPolicy
}

/** The stages of a composed skill, one after another; the steps within one run at the same time. */
export type CompositePlan = readonly (readonly PlannedStep[])[]
