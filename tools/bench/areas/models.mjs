// @ts-check
import { createMinions } from '@minions/host'
import { models } from '@minions/models'
import { agent, agents } from '@minions/models/agents'
import { defineSkill, skills } from '@minions/skills-runtime'
import { isStepCount, jsonSchema, streamText, tool } from 'ai'
import { cpuClock, describe } from '../measure.mjs'

/** @import { Bench } from '../area.mjs' */
/** @import { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider' */

const steps = 50
const runs = 5
const schema = { type: 'object', properties: { a: { type: 'number' } } }

/** A model in memory that calls a tool with another number each time, and has an answer at the last step. */
function model() {
  let step = 0
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  }
  return /** @type {LanguageModelV4} */ ({
    specificationVersion: 'v4',
    provider: 'memory',
    modelId: 'counter',
    supportedUrls: {},
    doGenerate() {
      throw new Error('only streams')
    },
    async doStream() {
      step++
      const isLast = step % steps === 0
      /** @type {LanguageModelV4StreamPart[]} */
      const parts = isLast
        ? [
            { type: 'text-start', id: '0' },
            { type: 'text-delta', id: '0', delta: 'Done.' },
            { type: 'text-end', id: '0' },
          ]
        : [{ type: 'tool-call', toolCallId: `c${step}`, toolName: 'count', input: `{"a":${step}}` }]
      const finishReason = {
        unified: isLast ? /** @type {const} */ ('stop') : /** @type {const} */ ('tool-calls'),
        raw: 'x',
      }
      parts.unshift({ type: 'stream-start', warnings: [] })
      parts.push({ type: 'finish', finishReason, usage })
      return { stream: ReadableStream.from(parts) }
    },
  })
}

/** @param {number} a */
const answer = (a) => ({ next: a + 1 })

/** Milliseconds of processor time for one step of our agents, on a store in memory. */
async function ours() {
  const count = defineSkill({
    name: 'count',
    version: '1.0.0',
    parameters_schema: schema,
    execute: ({ a }) => answer(Number(a)),
  })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      models({ default: model(), environment: {} }),
      skills({ persistence: false }),
      agents({ agents: [agent({ name: 'counter', prompt: 'Count.', skills: [count], maxSteps: steps })] }),
    ],
  })
  const began = cpuClock()
  for (let run = 0; run < runs; run++) await app.agents.ask('counter', { input: 'Go' })
  const taken = cpuClock() - began
  await app.close()
  return taken / runs / steps
}

/** The same by the loop of the SDK. */
async function theirs() {
  const counting = model()
  const count = tool({ inputSchema: jsonSchema(schema), execute: async (/** @type {any} */ { a }) => answer(a) })
  const began = cpuClock()
  for (let run = 0; run < runs; run++) {
    const result = streamText({
      model: counting,
      system: 'Count.',
      prompt: 'Go',
      tools: { count },
      stopWhen: isStepCount(steps),
    })
    await result.text
  }
  return (cpuClock() - began) / runs / steps
}

/** Ours and theirs take turns, so that whatever slows the machine down hits both. */
const rounds = 7

/** @param {Bench} bench */
export default async function (bench) {
  await ours()
  await theirs()
  /** @type {{ own: number[], sdk: number[], over: number[] }} */
  const taken = { own: [], sdk: [], over: [] }
  for (let round = 0; round < rounds; round++) {
    const [own, sdk] = [await ours(), await theirs()]
    taken.own.push(own)
    taken.sdk.push(sdk)
    taken.over.push(own - sdk)
  }
  const median = (/** @type {number[]} */ values) => describe(values).median
  bench.value({
    name: 'one step of an agent, over the loop of the AI SDK, processor time',
    value: Math.max(0, median(taken.over)),
    unit: 'ms',
    bar: 2,
    from: 'the SDK runs the same loop and keeps nothing',
    note: `${median(taken.own).toFixed(2)} ms and ${median(taken.sdk).toFixed(2)} ms a step, medians of ${rounds} rounds; ${steps} steps, one skill a step, in memory`,
  })
}
