import { ClusterStatusSchema } from '../cluster-status.js'
import { exampleJob, operation } from './inputs.js'

export const status = operation({
  name: 'cluster.status',
  summary: 'Show workers and their jobs, queues, and skills without a worker',
  access: 'read',
  input: {},
  output: ClusterStatusSchema,
  examples: [{ title: 'A job that no worker can run', given: [exampleJob], input: {} }],
  run: (_, { jobs }) => jobs.status(),
})
