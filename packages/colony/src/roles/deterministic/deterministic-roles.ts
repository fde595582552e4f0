import type { ExampleMission } from '../../example/example-mission.js'
import { exampleTools } from '../../example/example-tools.js'
import type { Roles } from '../role.js'
import { aggregate } from './aggregator.js'
import { givePasses } from './librarian.js'
import { plan } from './planner.js'
import { packPrompts } from './prompt-master.js'
import { research } from './researcher.js'
import { review } from './reviewer.js'
import { assess } from './worker.js'

/**
 * Roles that need no model: the same envelope and tools always give the same artifacts. They look after leads, those of
 * `exampleMission` unless others are given, and are what the demo and the tests run.
 */
export function deterministicRoles(data?: Pick<ExampleMission, 'leads' | 'reports'>): Required<Roles> {
  return {
    planner: plan,
    prompt_master: packPrompts,
    librarian: givePasses,
    researcher: research,
    worker: assess,
    aggregator: aggregate,
    reviewer: review,
    tools: exampleTools(data),
  }
}
