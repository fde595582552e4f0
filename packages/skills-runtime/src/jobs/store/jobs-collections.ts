import { schedulesCollection } from '../schedules/schedule-schema.js'
import { jobsCollection, limitsCollection, workersCollection } from './collections.js'

/** The collections of jobs, workers and limits. */
export const jobsCollections = [jobsCollection, workersCollection, limitsCollection, schedulesCollection] as const
