import { type ProjectChoices, withRequired } from '../choices.js'

const OF_AREA = {
  prompts: ['@minions/prompts'],
  skills: ['@minions/skills-runtime', 'typebox'],
  workspace: ['@minions/workspace'],
  missions: ['@minions/colony', '@minions/colony-contracts'],
} as const

/** The packages that a project installs. */
export function dependenciesOf({ storage, areas, model }: ProjectChoices): string[] {
  return [
    '@minions/core',
    '@minions/host',
    '@minions/cli',
    ...(storage === 'memory' ? [] : [`@minions/storage-${storage}`]),
    ...withRequired(areas).flatMap((area) => OF_AREA[area]),
    ...(model === undefined ? [] : ['@minions/models']),
  ]
}
