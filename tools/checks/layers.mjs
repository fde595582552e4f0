// @ts-check

/**
 * Which of our packages each package may import in shipped source. Every package has a row; the arrows never turn round.
 *
 * @type {Record<string, string[]>}
 */
export const layers = {
  '@minions/core': [],
  '@minions/storage-sqlite': ['@minions/core'],
  '@minions/storage-fs': ['@minions/core'],
  '@minions/storage-postgres': ['@minions/core'],
  '@minions/storage-testkit': ['@minions/core'],
  '@minions/host': ['@minions/core'],
  '@minions/prompts': ['@minions/core'],
  '@minions/exporters': ['@minions/core', '@minions/prompts'],
  '@minions/workspace': ['@minions/core'],
  '@minions/colony-contracts': ['@minions/core'],
  '@minions/skills-runtime': ['@minions/core'],
  '@minions/colony': [
    '@minions/core',
    '@minions/colony-contracts',
    '@minions/skills-runtime',
    '@minions/prompts',
    '@minions/workspace',
    '@minions/exporters',
  ],
  '@minions/audit-log': ['@minions/core'],
}

layers['@minions/cli'] = Object.keys(layers)

/** Packages that run in a browser: no Node module anywhere in their source. */
export const browserPackages = ['@minions/core', '@minions/prompts', '@minions/exporters', '@minions/colony-contracts']
