import { type Static, Type } from 'typebox'

const VerdictSchema = Type.Enum(['a', 'b', 'inconclusive'])

/** The winner: the first prompt, the second, or neither if the data cannot prove it. */
export type Verdict = Static<typeof VerdictSchema>

const DimensionComparisonSchema = Type.Object({
  dimension: Type.String(),
  n: Type.Integer({ description: 'Tests on which both prompts have a score in this dimension.' }),
  meanA: Type.Number(),
  meanB: Type.Number(),
  meanDifference: Type.Number({ description: 'Mean of b − a: positive when b did better.' }),
  confidenceInterval: Type.Union([Type.Immutable(Type.Tuple([Type.Number(), Type.Number()])), Type.Null()], {
    description: '95 % confidence interval of the mean difference (paired t); null with fewer than two tests.',
  }),
  pValue: Type.Number({ description: 'Two-sided paired permutation test.' }),
  adjustedPValue: Type.Number({
    description: "The p-value after Holm's correction over all dimensions; the verdict goes by it.",
  }),
  effectSize: Type.Union([Type.Number(), Type.Null()], {
    description:
      "Cohen's d of the paired differences; null when they do not vary, because it then has no finite value.",
  }),
  verdict: VerdictSchema,
})

export type DimensionComparison = Readonly<Static<typeof DimensionComparisonSchema>>

/** A comparison of two prompts. */
export const ComparisonSchema = Type.Object({
  dimensions: Type.Immutable(Type.Array(DimensionComparisonSchema)),
  verdict: Type.Enum(['a', 'b', 'inconclusive'], {
    description:
      'A winner is better in at least one dimension and worse in none, with at most 5 % false winners overall.',
  }),
  seed: Type.Integer(),
})

export type Comparison = Readonly<Static<typeof ComparisonSchema>>
