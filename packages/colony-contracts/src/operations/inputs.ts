import { operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { artifactExamples } from '../examples.js'
import { contractsRef } from '../ref.js'
import { RootMetadataSchema } from '../schemas/root-metadata.js'

export const operation = operationsWith({ contracts: contractsRef }, { perTenant: true })

const { mission_envelope, writeback_proposal } = artifactExamples

export const exampleMission = mission_envelope.mission_id
export const exampleCaller = { tenant: mission_envelope.tenant_id, by: 'ada' }

export const examplePut = ['artifacts.put', { artifacts: [mission_envelope, writeback_proposal] }] as const

export const MissionReference = property.text('Id of a mission.', exampleMission)

/** An artifact in any version: the common properties are checked, and the rest was checked when it was stored. */
export const ArtifactOutput = <T>() => Type.Unsafe<T>(RootMetadataSchema)
