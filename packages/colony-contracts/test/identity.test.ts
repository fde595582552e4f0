import { isMinionsError } from '@minions/core'
import { describe, expect, it } from 'vitest'
import { artifactExamples, artifactHash, artifactId, completeArtifact } from '../src/index.js'

const { mission_envelope, worker_result } = artifactExamples

describe('artifactId', () => {
  it('is the own id of each kind', () => {
    expect(Object.values(artifactExamples).map(artifactId)).toEqual([
      mission_envelope.mission_id,
      mission_envelope.mission_id,
      'pkg_001',
      'res_001',
      'pass_001',
      'wrk_001',
      'agg_001',
      'rev_001',
      'pol_001',
      'wb_001',
    ])
  })
})

describe('artifactHash', () => {
  it('depends on content, not on the order of keys', () => {
    const turned = Object.fromEntries(Object.entries(worker_result).toReversed()) as typeof worker_result
    expect(artifactHash(turned)).toBe(artifactHash(worker_result))
    expect(artifactHash(worker_result)).toMatch(/^[0-9a-f]{64}$/)
    expect(artifactHash({ ...worker_result, confidence: 0.8 })).not.toBe(artifactHash(worker_result))
  })
})

describe('completeArtifact', () => {
  it('fills in tenant and actor, and leaves the artifact alone', () => {
    const complete = completeArtifact(worker_result, mission_envelope)
    expect(complete).toEqual({ ...worker_result, tenant_id: 'tenant_velocity', actor_id: 'oracle_operator' })
    expect(worker_result).not.toHaveProperty('tenant_id')
    expect(completeArtifact(complete, mission_envelope)).toEqual(complete)
  })

  it.each([
    ['tenant', { tenant_id: 'tenant_b' }, 'TENANT_MISMATCH'],
    ['actor', { actor_id: 'someone' }, 'ACTOR_MISMATCH'],
    ['mission', { mission_id: '00000000-0000-4000-8000-000000000000' }, 'ORPHAN'],
  ])('refuses another %s', (_what, part, code) => {
    let thrown: unknown
    try {
      completeArtifact({ ...worker_result, ...part }, mission_envelope)
    } catch (error) {
      thrown = error
    }
    expect(isMinionsError(thrown, 'ENVELOPE_MISMATCH') && thrown.details.errors).toMatchObject([{ code }])
  })
})
