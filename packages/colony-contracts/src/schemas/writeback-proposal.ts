import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, OpenObject } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const WritebackProposalSchema = Type.Object(
  {
    ...rootMetadata('writeback_proposal'),
    proposal_id: about(Id, 'Identifies the proposal.'),
    target_entity_type: about(Name, 'Kind of record to change.'),
    target_entity_id: about(Id, 'Id of that record.'),
    action_type: about(Name, 'The operation.'),
    payload: about(OpenObject, 'The change itself.'),
    requires_approval: about(Type.Boolean(), 'Whether it requires approval.'),
  },
  {
    title: 'Writeback proposal',
    description: 'A proposed change to the outside world; never the change itself.',
  },
)

/** A proposed change to the outside world; never the change itself. */
export type WritebackProposal = Static<typeof WritebackProposalSchema>
