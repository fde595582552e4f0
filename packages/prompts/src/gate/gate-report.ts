import { type Static, Type } from 'typebox'

/** The outcomes of a gate, with the exit code of the command. */
export const GATE_STATUSES = { passed: 0, regressed: 1, inconclusive: 2, incomparable: 3 } as const

export type GateStatus = keyof typeof GATE_STATUSES

const Status = Type.Enum(Object.keys(GATE_STATUSES) as GateStatus[])

const SideSchema = Type.Object({
  id: Type.String(),
  version: Type.Union([Type.Number(), Type.Null()], { description: 'Number of the version; 0 for the prompt itself.' }),
  named: Type.String({ description: 'As requested: a label, or the number or id of a version.' }),
})

const OutcomeSchema = Type.Object({
  passed: Type.Boolean(),
  scores: Type.Record(Type.String(), Type.Number(), { description: 'Means if the test was repeated.' }),
  output: Type.String({ description: 'The judged text: the answer, or else the rendered prompt.' }),
  error: Type.Optional(Type.String({ description: 'The reason why it could not be rendered.' })),
})

const CaseSchema = Type.Object({
  testId: Type.String(),
  title: Type.String(),
  golden: Type.Boolean(),
  baseline: OutcomeSchema,
  candidate: OutcomeSchema,
  change: Type.Enum(['same', 'better', 'worse', 'failed'], {
    description: 'By the mean of the scores of both; failed: a golden test that the candidate does not pass.',
  }),
})

const DimensionSchema = Type.Object({
  dimension: Type.String(),
  n: Type.Integer({ description: 'Number of tests scored for both.' }),
  meanBaseline: Type.Number(),
  meanCandidate: Type.Number(),
  meanDifference: Type.Number({ description: 'Candidate minus baseline: negative when it got worse.' }),
  confidenceInterval: Type.Union([Type.Immutable(Type.Tuple([Type.Number(), Type.Number()])), Type.Null()]),
  adjustedPValue: Type.Number({ description: "Two-sided, after Holm's correction over all dimensions." }),
  verdict: Type.Enum(['passed', 'regressed', 'inconclusive']),
})

/** The result of comparing a candidate with a baseline. */
export const GateReportSchema = Type.Object({
  status: Status,
  exitCode: Type.Integer({ minimum: 0, maximum: 3 }),
  reason: Type.String({ description: 'The reason, in one sentence.' }),
  prompt: Type.Object({
    id: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    title: Type.String(),
  }),
  baseline: SideSchema,
  candidate: SideSchema,
  exact: Type.Boolean({ description: 'The outcome is deterministic, so one newly failing test is a regression.' }),
  dimensions: Type.Array(DimensionSchema),
  cases: Type.Array(CaseSchema),
})

export type GateReport = Readonly<Static<typeof GateReportSchema>>
export type GateCase = Readonly<Static<typeof CaseSchema>>
export type GateDimension = Readonly<Static<typeof DimensionSchema>>
export type GateOutcome = Readonly<Static<typeof OutcomeSchema>>
