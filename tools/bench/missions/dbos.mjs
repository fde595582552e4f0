// @ts-check
import { createRequire } from 'node:module'
import { countQueries } from './count-queries.mjs'
import { importPeer } from './peers.mjs'

/** @import { Engine } from './run.mjs' */

/** As many workflows at once as there are lanes, each of steps that do nothing. @type {Engine} */
export async function dbos({ storage, peers, lanes }) {
  const { DBOS } = await importPeer(peers, '@dbos-inc/dbos-sdk')
  const queries = countQueries(createRequire(`${peers}/`))
  DBOS.setConfig({ name: 'minions-bench', systemDatabaseUrl: storage, runAdminServer: false, logLevel: 'error' })
  const workflow = DBOS.registerWorkflow(
    async (/** @type {number} */ steps) => {
      for (let step = 0; step < steps; step++) await DBOS.runStep(async () => step, { name: 'step' })
    },
    { name: 'steps' },
  )
  await DBOS.launch()
  return {
    queries,
    async run(tasks) {
      await Promise.all(Array.from({ length: lanes }, () => workflow(tasks / lanes)))
    },
    close: () => DBOS.shutdown(),
  }
}
