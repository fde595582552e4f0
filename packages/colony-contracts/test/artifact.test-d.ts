import { expectTypeOf } from 'vitest'
import {
  type Artifact,
  type ArtifactName,
  type ArtifactProblem,
  isArtifact,
  type MissionEnvelope,
  type PolicyDecision,
  type TaskRoleType,
  validateArtifact,
  type WorkerResult,
} from '../src/index.js'

const result = validateArtifact({})

// @ts-expect-error there is no artifact before `valid` has been looked at
result.artifact.schema_name

if (result.valid) {
  expectTypeOf(result.artifact).toEqualTypeOf<Artifact>()
  const { artifact } = result
  if (artifact.schema_name === 'worker_result') {
    expectTypeOf(artifact).toEqualTypeOf<WorkerResult>()
    expectTypeOf(artifact.confidence).toEqualTypeOf<number>()
    // @ts-expect-error a worker result has no tasks
    artifact.tasks
  }
  // @ts-expect-error there is no such kind
  if (artifact.schema_name === 'worker_results') throw artifact
} else {
  expectTypeOf(result.errors).toEqualTypeOf<readonly ArtifactProblem[]>()
  expectTypeOf(result.artifact).toEqualTypeOf<undefined>()
}

expectTypeOf<ArtifactName>().toEqualTypeOf<Artifact['schema_name']>()
expectTypeOf<Artifact<'policy_decision'>>().toEqualTypeOf<PolicyDecision>()
expectTypeOf<PolicyDecision['decision']>().toEqualTypeOf<'allow' | 'deny'>()
expectTypeOf<MissionEnvelope['risk_level']>().toEqualTypeOf<'low' | 'medium' | 'high' | 'critical'>()
expectTypeOf<MissionEnvelope['tenant_id']>().toEqualTypeOf<string>()
expectTypeOf<WorkerResult['tenant_id']>().toEqualTypeOf<string | undefined>()
expectTypeOf<TaskRoleType>().toEqualTypeOf<
  'planner' | 'prompt_master' | 'researcher' | 'librarian' | 'worker' | 'aggregator' | 'reviewer'
>()

const value: unknown = {}
if (isArtifact(value, 'review_packet')) expectTypeOf(value.review_status).toBeString()
