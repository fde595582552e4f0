import { definePlugin, operations, type PluginType, tokens } from '@minions/core'
import manifest from '../package.json' with { type: 'json' }
import { checkLink } from './chain/check-link.js'
import { checkChange } from './check-change.js'
import { CORE_PROMPT_TEMPLATE_ID } from './convert/core-template.js'
import { promptOperations } from './operations/prompt-operations.js'
import { PromptsApi } from './prompts-api.js'
import { promptsRef } from './ref.js'
import { derivePrompt } from './types/derive-prompt.js'
import { promptTemplateType } from './types/prompt-template.js'
import { promptTypes } from './types/prompt-types.js'
import { promptVersionType } from './types/prompt-version.js'

/**
 * The types as a client takes them: the slug `prompt-template` is taken over from core's type, which stays, and prompts
 * and versions are completed whenever they are written.
 */
export const promptPluginTypes: readonly PluginType[] = promptTypes.map((type) => {
  if (type === promptTemplateType) return { type, takesSlugOf: CORE_PROMPT_TEMPLATE_ID, derive: derivePrompt }
  return type === promptVersionType ? { type, derive: derivePrompt } : type
})

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
