// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvals } from '@minions/approvals'
import { auditLog } from '@minions/audit-log'
import { colony, deterministicRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { exporters } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { langfuse } from '@minions/langfuse'
import { mcp } from '@minions/mcp'
import { models } from '@minions/models'
import { agents } from '@minions/models/agents'
import { chatEndpoint } from '@minions/models/endpoint'
import { prompts } from '@minions/prompts'
import { server } from '@minions/server/plugin'
import { skills } from '@minions/skills-runtime'
import { jobs } from '@minions/skills-runtime/jobs'
import { studio } from '@minions/studio'
import { workspace } from '@minions/workspace'

/** @import { App } from '@minions/host' */
/** @import { LanguageModel } from '@minions/models' */

/** @typedef {App<ReturnType<typeof everyPlugin>>} EveryApp an app that has every plugin of the repository */

/** Every plugin of the repository. @param {string} configDir where workspaces have their folders @param {LanguageModel} [model] */
function everyPlugin(configDir, model) {
  return /** @type {const} */ ([
    approvals(),
    prompts(),
    exporters(),
    workspace({ configDir, store: 'storage' }),
    colonyContracts(),
    skills(),
    jobs(),
    colony({ roles: deterministicRoles() }),
    auditLog(),
    models({ environment: {}, ...(model && { default: model }) }),
    agents(),
    server(),
    chatEndpoint(),
    studio(),
    mcp(),
    langfuse(),
  ])
}

/**
 * Opens an empty app in memory that has every plugin of the repository. `close` removes what it leaves behind.
 *
 * @param {LanguageModel} [model] answers for the app; there is none unless given
 */
export async function openEveryPlugin(model) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-operations-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const app = await createMinions({ storage: 'memory:', plugins: everyPlugin(folder, model) })
    // What the list of plugins adds is of no concern to those who walk operations.
    return {
      app: /** @type {EveryApp} */ (/** @type {any} */ (app)),
      folder,
      close: () => app.close().finally(removeFolder),
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/**
 * Runs work with an empty app in memory that has every plugin of the repository, and removes what it leaves behind.
 *
 * @template T
 * @param {(app: EveryApp) => Promise<T>} work
 */
export async function withEveryPlugin(work) {
  const { app, close } = await openEveryPlugin()
  return work(app).finally(close)
}
