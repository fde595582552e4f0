// @ts-check

/**
 * Which of our packages each package may import in shipped source. Every package has a row; the arrows never turn round.
 *
 * @type {Record<string, string[]>}
 */
export const layers = {
  '@minions/core': [],
  '@minions/files': ['@minions/core'],
  '@minions/storage-sqlite': ['@minions/core'],
  '@minions/storage-fs': ['@minions/core', '@minions/files'],
  '@minions/storage-postgres': ['@minions/core'],
  '@minions/storage-testkit': ['@minions/core'],
  '@minions/host': ['@minions/core'],
  '@minions/approvals': ['@minions/core'],
  '@minions/prompts': ['@minions/core'],
  '@minions/exporters': ['@minions/core', '@minions/files', '@minions/prompts'],
  '@minions/workspace': ['@minions/core', '@minions/files'],
  '@minions/colony-contracts': ['@minions/core'],
  '@minions/skills-runtime': ['@minions/core', '@minions/files'],
  '@minions/colony': [
    '@minions/core',
    '@minions/colony-contracts',
    '@minions/skills-runtime',
    '@minions/prompts',
    '@minions/workspace',
    '@minions/exporters',
  ],
  '@minions/server': ['@minions/core'],
  '@minions/client': [],
  '@minions/studio': ['@minions/core', '@minions/server'],
  '@minions/audit-log': ['@minions/core'],
  '@minions/models': [
    '@minions/core',
    '@minions/colony-contracts',
    '@minions/files',
    '@minions/prompts',
    '@minions/server',
    '@minions/skills-runtime',
  ],
  '@minions/mcp': ['@minions/core', '@minions/server', '@minions/skills-runtime'],
  '@minions/redis': ['@minions/core', '@minions/skills-runtime'],
  '@minions/bullmq': ['@minions/core', '@minions/skills-runtime'],
  '@minions/langfuse': ['@minions/core', '@minions/prompts', '@minions/exporters', '@minions/server'],
}

layers['@minions/cli'] = Object.keys(layers)
layers['create-minions'] = []

/** Programs that start a project; they use nothing of what they start. */
layers['create-minions-plugin'] = []
layers['create-minions-storage'] = ['create-minions-plugin']

/** Packages that run in a browser: no Node module anywhere in their source. */
export const browserPackages = [
  '@minions/core',
  '@minions/prompts',
  '@minions/exporters',
  '@minions/colony-contracts',
  '@minions/client',
]
