// Serves a store over HTTP, with roles that take their time, until it is killed.
import { colony, deterministicRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { mcp } from '@minions/mcp'
import { prompts } from '@minions/prompts'
import { serve, server } from '@minions/server'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'

const [, , storage = '', configDir = '', delay = '0'] = process.argv

const { tools, ...handlers } = deterministicRoles()

/** @param {(...given: any[]) => unknown} handler */
const slowly =
  (handler) =>
  /** @param {...any} given */
  async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, Number(delay)))
    return handler(...given)
  }

const slow = Object.fromEntries(Object.entries(handlers).map(([role, handler]) => [role, slowly(handler)]))

const app = await createMinions({
  storage,
  plugins: [
    prompts(),
    workspace({ store: 'storage', configDir }),
    colonyContracts(),
    skills({ leaseMs: 1000 }),
    colony({ roles: { ...slow, tools } }),
    server(),
    mcp(),
  ],
})
const { url } = await serve(app, { port: 0 })
process.stdout.write(`${url}\n`)
