import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { ClusterStatusSchema } from '../cluster-status.js'
import { closed, deps, exampleJob } from './inputs.js'

export const status = defineOperation({
  name: 'cluster.status',
  summary: 'Show workers and their jobs, queues, and skills without a worker',
  access: 'read',
  input: Type.Object({}, closed),
  output: ClusterStatusSchema,
  examples: [{ title: 'A job that no worker can run', given: [exampleJob], input: {} }],
  deps,
  run: (_, { jobs }) => jobs.status(),
})
