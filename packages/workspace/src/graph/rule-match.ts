import { type Static, Type } from 'typebox'

/** A rule whose condition holds, as `evaluateStateLogic` reports it. */
export const RuleMatchSchema = Type.Object({
  rule_id: Type.String(),
  rule_name: Type.String(),
  action: Type.Record(Type.String(), Type.Unknown()),
  priority: Type.Number(),
  inherited_from: Type.Union([Type.String(), Type.Null()]),
})

export type RuleMatch = Readonly<Static<typeof RuleMatchSchema>>
