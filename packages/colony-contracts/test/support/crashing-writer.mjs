// Applies a proposal in a process of its own and stays in the handler, after the change was made, until it is killed.
import { appendFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

const [, , packages, path, effects, proposal] = argv
const load = (name) => import(pathToFileURL(`${packages}/${name}/dist/index.js`).href)
const { ColonyStore, Proposals } = await load('colony-contracts')
const { sqliteStorage } = await load('storage-sqlite')

const store = await ColonyStore.open(sqliteStorage({ path }))
const proposals = new Proposals(store)
await proposals.approve(proposal, { by: 'child', reason: 'to be killed' })
await proposals.apply(proposal, async (_, { idempotencyKey }) => {
  appendFileSync(effects, `${idempotencyKey}\n`)
  stdout.write('changed\n')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})
