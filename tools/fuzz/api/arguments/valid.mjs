// @ts-check
import { clientArguments } from './client.mjs'
import { colonyArguments } from './colony.mjs'
import { coordinationArguments } from './coordination.mjs'
import { coreArguments } from './core.mjs'
import { hostArguments } from './host.mjs'
import { modelsArguments } from './models.mjs'
import { pluginArguments } from './plugin.mjs'
import { promptsArguments } from './prompts.mjs'
import { serverArguments } from './server.mjs'
import { skillsArguments } from './skills.mjs'
import { storageArguments } from './storage.mjs'
import { workspaceArguments } from './workspace.mjs'

/** @import { Arguments } from '../targets.mjs' */

/**
 * Arguments with which a call succeeds, by its name. Each of their properties is replaced by hostile values, so they hold as
 * many options as there are. What is not here is called with hostile values alone. @type {Record<string, Arguments>}
 */
export const validArguments = {
  ...coreArguments,
  ...pluginArguments,
  ...coordinationArguments,
  ...storageArguments,
  ...clientArguments,
  ...hostArguments,
  ...promptsArguments,
  ...skillsArguments,
  ...colonyArguments,
  ...workspaceArguments,
  ...serverArguments,
  ...modelsArguments,
}
