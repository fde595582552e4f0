import type { AggregationPacket, MissionTaskGraph, StoredArtifact } from '@minions/colony-contracts'
import { expectTypeOf, test } from 'vitest'
import type { Draft, RoleHandler, RoleInput, Roles } from '../src/index.ts'

test('a role is typed by what it reads and must return', () => {
  const aggregator: RoleHandler<'aggregator'> = ({ read, graph }) => {
    expectTypeOf(read('worker_result')).toEqualTypeOf<readonly StoredArtifact<'worker_result'>[]>()
    expectTypeOf(graph).toEqualTypeOf<MissionTaskGraph>()
    // @ts-expect-error an aggregator does not read reviews
    read('review_packet')
    return { summary: '', evidence_matrix: [], recommended_output: {} }
  }
  expectTypeOf(aggregator).returns.toEqualTypeOf<Draft<'aggregation_packet'> | Promise<Draft<'aggregation_packet'>>>()
  // @ts-expect-error a worker must return a result
  const worker: Roles['worker'] = () => ({ summary: '' })
  // @ts-expect-error there is no such role
  const roles: Roles = { wroker: () => ({ output_text: '', confidence: 1 }) }
  expectTypeOf<RoleInput<'planner'>['graph']>().toEqualTypeOf<MissionTaskGraph | undefined>()
  expectTypeOf<Draft<'aggregation_packet'>['summary']>().toEqualTypeOf<AggregationPacket['summary']>()
  return { worker, roles }
})
