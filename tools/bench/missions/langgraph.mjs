// @ts-check
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { countQueries } from './count-queries.mjs'
import { importPeer } from './peers.mjs'

/** @import { Engine } from './run.mjs' */

/** A graph whose one node does nothing, again and again, with a checkpoint after each step. @type {Engine} */
export async function langgraph({ storage, peers }) {
  const { Annotation, END, MemorySaver, START, StateGraph } = await importPeer(peers, '@langchain/langgraph')
  const queries = countQueries(createRequire(`${peers}/`))
  const isMemory = storage === 'memory:'
  const checkpointer = isMemory ? new MemorySaver() : await postgresSaver(peers, storage)
  const State = Annotation.Root({ left: Annotation() })
  const graph = new StateGraph(State)
    .addNode('step', (/** @type {{ left: number }} */ { left }) => ({ left: left - 1 }))
    .addEdge(START, 'step')
    .addConditionalEdges('step', (/** @type {{ left: number }} */ { left }) => (left > 0 ? 'step' : END))
    .compile({ checkpointer })
  return {
    queries,
    async run(tasks) {
      const config = { recursionLimit: tasks + 10, configurable: { thread_id: randomUUID() } }
      const { left } = await graph.invoke({ left: tasks }, config)
      if (left !== 0) throw new Error(`${left} steps are left`)
    },
    close: () => (isMemory ? undefined : checkpointer.end()),
  }
}

/** @param {string} peers @param {string} storage */
async function postgresSaver(peers, storage) {
  const { PostgresSaver } = await importPeer(peers, '@langchain/langgraph-checkpoint-postgres')
  const saver = PostgresSaver.fromConnString(storage)
  await saver.setup()
  return saver
}
