import type { MinionType } from '../schemas/minion-type.js'
import { contactType, fileType, linkType, noteType } from './basic-types.js'
import { agentType, promptTemplateType, taskType, teamType, testCaseType, thoughtType } from './layer-types.js'
import type { Layer } from './layers.js'

const types = [
  noteType,
  linkType,
  fileType,
  contactType,
  agentType,
  teamType,
  thoughtType,
  promptTemplateType,
  testCaseType,
  taskType,
] as const

export type BuiltinType = (typeof types)[number]

/** The ten types that every registry starts with: four basic ones and one for each layer. */
export const builtinTypes: readonly MinionType[] = Object.freeze(types)

/** The layer of each standard layer type, by type id. The basic types belong to none. */
export const builtinLayers: ReadonlyMap<string, Layer> = new Map<string, Layer>([
  [agentType.id, 'definition'],
  [teamType.id, 'organization'],
  [thoughtType.id, 'memory'],
  [promptTemplateType.id, 'interface'],
  [testCaseType.id, 'evaluation'],
  [taskType.id, 'execution'],
])
