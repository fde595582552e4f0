import { schedulesCollection } from '../schedules/schedule-schema.js'
import { jobsCollection, limitsCollection, workersCollection } from './collections.js'

/** Everything that jobs, workers and limits are stored in. */
export const jobsCollections = [jobsCollection, workersCollection, limitsCollection, schedulesCollection] as const
