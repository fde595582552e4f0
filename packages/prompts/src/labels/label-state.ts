import { type Static, Type } from 'typebox'

const LabelTargetSchema = Type.Object({
  versionId: Type.String({ description: 'Id of a version, or of the prompt, for version 0.' }),
  weight: Type.Number({ minimum: 0, maximum: 100, description: 'Share of the traffic in per cent.' }),
})

/** A version that a label points to, and its share of the traffic. */
export type LabelTarget = Readonly<Static<typeof LabelTargetSchema>>

/** The target of a label since its last move. */
export const LabelStateSchema = Type.Object({
  promptId: Type.String(),
  label: Type.String(),
  move: Type.Integer({ description: 'Number of times the label was moved; a move can require that it is unchanged.' }),
  targets: Type.Array(LabelTargetSchema, {
    description: 'One version, or several that share the traffic, the first of which is the control; none if removed.',
  }),
  salt: Type.Optional(
    Type.String({ description: 'Decides, together with the key of a request, which version is used.' }),
  ),
  at: Type.String({ description: 'When it was moved.' }),
  by: Type.Optional(Type.String({ description: 'Who moved it.' })),
  reason: Type.Optional(Type.String({ description: 'Why.' })),
})

export type LabelState = Readonly<Static<typeof LabelStateSchema>>
