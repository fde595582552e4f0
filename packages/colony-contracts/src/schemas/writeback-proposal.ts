import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, OpenObject } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const WritebackProposalSchema = described(
  Type.Object(
    {
      ...rootMetadata('writeback_proposal'),
      proposal_id: Id,
      target_entity_type: Name,
      target_entity_id: Id,
      action_type: Name,
      payload: OpenObject,
      requires_approval: Type.Boolean(),
    },
    {
      title: 'Writeback proposal',
      description: 'A proposed change to the outside world; never the change itself.',
    },
  ),
  {
    proposal_id: 'Identifies the proposal.',
    target_entity_type: 'Kind of record to change.',
    target_entity_id: 'Id of that record.',
    action_type: 'The operation.',
    payload: 'The change itself.',
    requires_approval: 'Whether it requires approval.',
  },
)

/** A proposed change to the outside world; never the change itself. */
export type WritebackProposal = Static<typeof WritebackProposalSchema>
