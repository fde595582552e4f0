import { colonyContracts } from '@minions/colony-contracts'
import { type Complete, createMinions, type MissingPlugin } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { expectTypeOf, test } from 'vitest'
import { colony, deterministicRoles } from '../src/index.ts'

const parts = {
  prompts: prompts(),
  workspace: workspace({ configDir: '.minions', store: 'storage' }),
  contracts: colonyContracts(),
  skills: skills(),
  colony: colony({ roles: deterministicRoles() }),
}
type Parts = typeof parts

test('the list that missions need compiles, and without the missions so does the rest', () => {
  const { prompts, workspace, contracts, skills, colony } = parts
  createMinions({ storage: 'memory:', plugins: [prompts, workspace, contracts, skills, colony] })
  createMinions({ storage: 'memory:', plugins: [prompts, workspace, contracts, skills] })
})

test('a list that lacks one of them does not compile, and the compiler names it', () => {
  const { prompts, workspace, contracts, skills, colony } = parts
  // @ts-expect-error "@minions/prompts" is missing
  createMinions({ storage: 'memory:', plugins: [workspace, contracts, skills, colony] })
  // @ts-expect-error "@minions/workspace" is missing
  createMinions({ storage: 'memory:', plugins: [prompts, contracts, skills, colony] })
  // @ts-expect-error "@minions/colony-contracts" is missing
  createMinions({ storage: 'memory:', plugins: [prompts, workspace, skills, colony] })
  // @ts-expect-error "@minions/skills-runtime" is missing
  createMinions({ storage: 'memory:', plugins: [prompts, workspace, contracts, colony] })

  type Without<Name extends keyof Parts> = Complete<readonly [Exclude<Parts[keyof Parts], Parts[Name]>]>
  expectTypeOf<Without<'prompts'>>().toEqualTypeOf<MissingPlugin<'@minions/prompts'>>()
  expectTypeOf<Without<'workspace'>>().toEqualTypeOf<MissingPlugin<'@minions/workspace'>>()
  expectTypeOf<Without<'contracts'>>().toEqualTypeOf<MissingPlugin<'@minions/colony-contracts'>>()
  expectTypeOf<Without<'skills'>>().toEqualTypeOf<MissingPlugin<'@minions/skills-runtime'>>()
  expectTypeOf<Without<'colony'>>().toEqualTypeOf<unknown>()
})

test('without the missions, the app has none', async () => {
  const { prompts, workspace, contracts, skills } = parts
  const app = await createMinions({ storage: 'memory:', plugins: [prompts, workspace, contracts, skills] })
  // @ts-expect-error there is no such plugin
  app.colony
})

test('a mission takes part in no transaction, since it makes many of its own', async () => {
  const { prompts, workspace, contracts, skills, colony } = parts
  const app = await createMinions({ storage: 'memory:', plugins: [prompts, workspace, contracts, skills, colony] })
  await app.transaction(async (tx) => {
    // @ts-expect-error the runner offers nothing in a transaction
    tx.colony
  })
})
