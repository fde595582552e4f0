import { approvalsComparisons } from './approvals.js'
import { careComparisons } from './care.js'
import type { Comparisons } from './comparison.js'
import { missionsComparisons } from './missions.js'
import { objectsComparisons } from './objects.js'
import { promptsComparisons } from './prompts.js'
import { skillsComparisons } from './skills.js'
import { workspacesComparisons } from './workspaces.js'

/** Every command that has an operation. */
export const COMPARISONS: Comparisons = {
  ...objectsComparisons,
  ...promptsComparisons,
  ...workspacesComparisons,
  ...skillsComparisons,
  ...missionsComparisons,
  ...approvalsComparisons,
  ...careComparisons,
}
