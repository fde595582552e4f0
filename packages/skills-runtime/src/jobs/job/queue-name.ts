import { guarded } from '@minions/core/plugin'
import { skillsError } from '../../errors.js'
import type { SkillVersion, WorkerEndpoint } from '../executor.js'
import { JOB_LIMITS } from './job-schema.js'

export function queueOf(skill: string, version?: string | null): string {
  return `${skill}@${version ?? '*'}`
}

/** Tags as one string; they have no spaces and are sorted. */
export function tagKey(tags: readonly string[]): string {
  return tags.join(' ')
}

/** The queues that a worker serves. */
export interface Served {
  readonly queues: readonly string[]
  /** Keys of all subsets of its tags. */
  readonly tagKeys: readonly string[]
}

/** The queues and sets of tags that a worker serves. Throws `VALIDATION_FAILED` for too many tags. */
export const servedBy = guarded('servedBy', servedByUnchecked)

function servedByUnchecked({ tags, skills }: { tags: readonly string[]; skills: readonly SkillVersion[] }): Served {
  const own = [...new Set(tags)].sort()
  if (own.length > JOB_LIMITS.tags) {
    throw skillsError('VALIDATION_FAILED', `A worker has at most ${JOB_LIMITS.tags} tags, not ${own.length}.`)
  }
  const queues = new Set(skills.flatMap(({ name, version }) => [queueOf(name), queueOf(name, version)]))
  let sets: string[][] = [[]]
  for (const tag of own) sets = [...sets, ...sets.map((set) => [...set, tag])]
  return { queues: [...queues], tagKeys: sets.map(tagKey) }
}

/** True if a worker that serves this can do a job. */
export const serves = guarded(
  'serves',
  ({ queues, tagKeys }: Served, job: { readonly queue: string; readonly tag_key: string }): boolean =>
    queues.includes(job.queue) && tagKeys.includes(job.tag_key),
)

/** The same for a connected worker. */
export function servedByEndpoint(worker: WorkerEndpoint): Served {
  return servedBy({ tags: worker.tags, skills: worker.skills() })
}
