import { type ProjectChoices, storageUrl, withRequired } from '../choices.js'

/** The module that opens the app. Programs, the test and the command all start from its list of plugins. */
export function appFile(choices: ProjectChoices): string {
  const areas = withRequired(choices.areas)
  const has = (area: (typeof areas)[number]) => areas.includes(area)
  const imports = [
    ...(has('missions') ? ["import { colony, deterministicRoles } from '@minions/colony'"] : []),
    ...(has('missions') ? ["import { colonyContracts } from '@minions/colony-contracts'"] : []),
    "import { createMinions } from '@minions/host'",
    ...(choices.model === undefined ? [] : ["import { models } from '@minions/models'"]),
    ...(has('prompts') ? ["import { prompts } from '@minions/prompts'"] : []),
    ...(has('skills') ? ["import { skills } from '@minions/skills-runtime'"] : []),
    ...(has('workspace') ? ["import { workspace } from '@minions/workspace'"] : []),
  ]
  const plugins = [
    ...(choices.model === undefined ? [] : ['models({ default: process.env.MINIONS_MODEL ?? MODEL })']),
    ...(has('prompts') ? ['prompts()'] : []),
    ...(has('workspace') ? ["workspace({ configDir: './data/workspaces', store: 'storage' })"] : []),
    ...(has('skills') ? ['skills()'] : []),
    ...(has('missions') ? ['colonyContracts()', 'colony({ roles: deterministicRoles() })'] : []),
  ]
  return `// @ts-check
${imports.join('\n')}

/** Where the data is. MINIONS_STORAGE names another store, such as the one in production. */
const STORAGE = '${storageUrl(choices.storage)}'
${choices.model === undefined ? '' : `const MODEL = ${JSON.stringify(choices.model)}\n`}
/** Opens the app. @param {string} [storage] */
export function openApp(storage = process.env.MINIONS_STORAGE ?? STORAGE) {
  return createMinions({
    storage,
    plugins: [${plugins.length === 0 ? '' : `\n      ${plugins.join(',\n      ')},\n    `}],
  })
}
`
}
