import { type DeriveMinion, definePlugin, operations, type PluginType, tokens } from '@minions/core'
import manifest from '../package.json' with { type: 'json' }
import { checkLink } from './chain/check-link.js'
import { checkChange } from './check-change.js'
import { CORE_PROMPT_TEMPLATE_ID } from './convert/core-template.js'
import { promptOperations } from './operations/prompt-operations.js'
import { PromptsApi } from './prompts-api.js'
import { promptsRef } from './ref.js'
import { derivePrompt } from './types/derive-prompt.js'
import { promptResultType } from './types/prompt-result.js'
import { promptTemplateType } from './types/prompt-template.js'
import { promptTestType } from './types/prompt-test.js'
import { promptVariableType } from './types/prompt-variable.js'
import { promptVersionType } from './types/prompt-version.js'

// Typed by core, so that the type of the plugin does not name a function of ours.
const derive: DeriveMinion = derivePrompt

/**
 * The types as a client takes them: the slug `prompt-template` is taken over from core's type, which stays, and prompts
 * and versions are completed whenever they are written.
 */
export const promptPluginTypes = [
  { type: promptTemplateType, takesSlugOf: CORE_PROMPT_TEMPLATE_ID, derive },
  { type: promptVersionType, derive },
  promptVariableType,
  promptTestType,
  promptResultType,
] as const satisfies readonly PluginType[]

/** Versioned prompts as a plugin; the app has them as `app.prompts`. */
export const prompts = () =>
  definePlugin({
    ref: promptsRef,
    version: manifest.version,
    deps: { client: tokens.client },
    types: promptPluginTypes,
    contributes: [[operations, promptOperations]],
    setup: ({ client }) => new PromptsApi(client),
    join: (_api, { client }) => new PromptsApi(client),
    onChange: checkChange,
    onLink: checkLink,
  })
