import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { ClusterStatusSchema } from '../cluster-status.js'
import { closed, deps, exampleJob } from './inputs.js'

export const status = defineOperation({
  name: 'cluster.status',
  summary: 'Show workers, what each of them does, queues, and what no worker serves',
  access: 'read',
  input: Type.Object({}, closed),
  output: ClusterStatusSchema,
  examples: [{ title: 'A job that no worker can do', given: [exampleJob], input: {} }],
  deps,
  run: (_, { jobs }) => jobs.status(),
})
