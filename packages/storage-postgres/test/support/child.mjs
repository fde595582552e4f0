// A process of its own on the built packages: `node child.mjs <task> <url> <schema> <argument>`. It opens the store when
// its parent says so, so that several do it at the same moment.
import { once } from 'node:events'
import { Minions } from '@minions/core'
import { postgresStorage } from '@minions/storage-postgres'

const [task, connectionString, schema, argument] = process.argv.slice(2)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const minions = await Minions.open({ storage: postgresStorage({ connectionString, schema, poolSize: 2 }) })

const tasks = {
  async create() {
    await minions.create('note', { title: `by ${process.pid}`, fields: { content: argument } })
  },

  /** Raises each of several counters, some inside a transaction that reads first, some by compare-and-set. */
  async count() {
    const { ids, times } = JSON.parse(argument)
    for (let step = 0; step < times; step += 1) {
      for (const id of ids) await (step % 2 === 0 ? raise(id) : raiseByRevision(id))
    }
  },
}

async function raise(id) {
  await minions.transaction(async (tx) => {
    const { fields } = await tx.get(id)
    await tx.update(id, { fields: { fileSize: fields.fileSize + 1 } })
  })
}

async function raiseByRevision(id) {
  for (;;) {
    const { minion, revision } = await minions.getRecord(id)
    try {
      await minions.update(id, { fields: { fileSize: minion.fields.fileSize + 1 } }, { ifRevision: revision })
      return
    } catch (error) {
      if (error.code !== 'CONFLICT') throw error
    }
  }
}

await tasks[task]()
await minions.close()
process.stdin.destroy()
