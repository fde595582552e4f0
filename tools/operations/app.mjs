// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLog } from '@minions/audit-log'
import { colony, deterministicRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { exporters } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'

/**
 * Runs work with an empty app in memory that has every plugin of the repository, and removes what it leaves behind.
 *
 * @template T
 * @param {(app: Awaited<ReturnType<typeof createMinions>>) => Promise<T>} work
 */
export async function withEveryPlugin(work) {
  const configDir = mkdtempSync(join(tmpdir(), 'minions-operations-'))
  try {
    const app = await createMinions({
      storage: 'memory:',
      plugins: [
        prompts(),
        exporters(),
        workspace({ configDir, store: 'storage' }),
        colonyContracts(),
        skills(),
        colony({ roles: deterministicRoles() }),
        auditLog(),
      ],
    })
    try {
      return await work(app)
    } finally {
      await app.close()
    }
  } finally {
    rmSync(configDir, { recursive: true, force: true })
  }
}
