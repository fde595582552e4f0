// @ts-check
import {
  artifactExamples,
  artifactHash,
  ColonyStore,
  executionOrder,
  Proposals,
  validateArtifact,
  validateMission,
} from '@minions/colony-contracts'
import { memoryStorage } from '@minions/core/memory'
import { refusal } from '../refusal.mjs'

const { mission_envelope: envelope, mission_task_graph: graph, writeback_proposal: proposal } = artifactExamples

export async function observe() {
  return {
    order: executionOrder(graph),
    hash: artifactHash(envelope),
    validation: await refusal(() => {
      if (!validateMission([envelope, graph]).valid) throw new Error('the examples are valid')
      if (validateArtifact({ ...envelope, mission_id: 1 }).valid) throw new Error('an id is text')
    }),
    store: await refusal(useStore),
  }
}

async function useStore() {
  const store = await ColonyStore.open(memoryStorage())
  await store.putMany([envelope, graph, proposal])
  const proposals = new Proposals(store)
  const decision = { by: 'reviewer', reason: 'as agreed' }
  await proposals.approve(proposal.proposal_id, decision)
  const first = proposals.apply(proposal.proposal_id, () => ({ done: true }))
  const second = await refusal(() => proposals.apply(proposal.proposal_id, () => undefined))
  if (second !== 'CONFLICT' || (await first).status !== 'applied') throw new Error(`applied twice: ${second}`)
}

export const expected = {
  order: [['task_plan_01']],
  hash: '84e20d897b83b28d10af413c2f1521bb3238a6bb5a51e0a4c98038d8f276e73d',
  validation: 'nothing was thrown',
  store: 'nothing was thrown',
}
