// @ts-check
import { inTurn, words } from '../data.mjs'
import { backends, busyStore } from './busy-store.mjs'

/** @import { Bench } from '../area.mjs' */
/** @import { Backend } from './busy-store.mjs' */
/** @typedef {Pick<Awaited<ReturnType<typeof busyStore>>, 'app'> & { id: string }} Busy */

const sizes = [10, 10_000]
const { text } = words(12)
const people = inTurn(Array.from({ length: 64 }, () => ({ name: text(2) })))

/** What must not depend on the length of a prompt's history; adding comes last, since it makes the prompts longer. @type {Record<string, (store: Busy) => Promise<unknown>>} */
const lookups = {
  'render a prompt': ({ app, id }) => app.prompts.render(id, people()),
  'render a version by number': ({ app, id }) => app.prompts.render({ prompt: id, version: 7 }, people()),
  'latest version of a prompt': ({ app, id }) => app.prompts.latest(id),
  'published version of a prompt': ({ app, id }) => app.prompts.published(id),
  'list the variables of a prompt': ({ app, id }) => app.prompts.variables.list(id),
  'add a version': ({ app, id }) => app.prompts.addVersion(id, { content: 'Hi {{name}}' }),
}

/** Prompts with long histories on every backend. @param {Bench} bench */
export async function chains(bench) {
  for (const backend of backends) await chainsOn(bench, backend)
  if (!backends.some(({ name }) => name === 'PostgreSQL')) {
    bench.leaveOut({ name: 'long histories on PostgreSQL', note: 'set MINIONS_TEST_POSTGRES_URL' })
  }
}

/** @param {Bench} bench @param {Backend} backend */
async function chainsOn(bench, backend) {
  const { app, ids, close } = await busyStore(backend, sizes)
  try {
    const promptOf = (/** @type {number} */ size) => ({ app, id: String(ids.get(size)) })
    if (backend.name === 'SQLite') await history(bench, promptOf)
    for (const [name, work] of Object.entries(lookups)) {
      await bench.growth({
        cpu: backend.cpu,
        name: `${name}, among 1,000 prompts written in turn`,
        sizes,
        setup: (size) => () => work(promptOf(size)),
        bar: 1.5,
        from: 'a lookup by index, however long the history',
        note: `versions of the prompt; ${backend.name}`,
      })
    }
  } finally {
    await close()
  }
}

/** @param {Bench} bench @param {(size: number) => Busy} promptOf */
async function history(bench, promptOf) {
  await bench.growth({
    cpu: true,
    name: 'history of a prompt, among 1,000 prompts written in turn',
    sizes,
    setup: (size) => {
      const { app, id } = promptOf(size)
      return () => app.prompts.history(id)
    },
    bar: 2_000,
    from: 'a thousandfold history is a thousand times as long to read',
    note: 'versions of the prompt; SQLite',
    rounds: 3,
  })
}
