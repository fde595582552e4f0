// @ts-check
import { PromptTemplate } from '@langchain/core/prompts'
import { PromptExporter } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { compileTemplate, diffLines, PromptDiff, prompts } from '@minions/prompts'
import { sqliteStorage } from '@minions/storage-sqlite'
import { diffArrays, diffLines as jsdiffLines } from 'diff'
import DiffMatchPatch from 'diff-match-patch'
import { diff as myersDiff } from 'fast-myers-diff'
import Handlebars from 'handlebars'

import { inTurn, words } from '../data.mjs'
import { describe, measure } from '../measure.mjs'
import { NEIGHBOURS } from '../prompts/busy-store.mjs'
import { chains } from '../prompts/chains.mjs'

/** @import { Bench } from '../area.mjs' */

/** A prompt of about 1 KB with five variables. */
const prompt = `You are {{role}}, an assistant for {{company}}.
${'Answer briefly, cite your sources and never invent facts that you cannot support. '.repeat(5)}
The reader is {{reader}} and speaks {{language}}.
${'If the question is unclear, ask one question back before you answer it at length. '.repeat(5)}
Question: {{question}}
`
const { below, text } = words(11)
const variables = inTurn(
  Array.from({ length: 256 }, () => ({
    role: text(1 + below(4)),
    company: text(1 + below(2)),
    reader: text(1 + below(3)),
    language: text(1),
    question: text(3 + below(30)),
  })),
)

const list = '{{#each users}}- {{name}} ({{role}}), {{city}}: {{note}}\n{{/each}}'
/** Lists of a hundred users. */
const lists = Array.from({ length: 32 }, () => ({
  users: Array.from({ length: 100 }, () => ({
    name: text(2),
    role: below(3) ? 'editor' : 'admin',
    city: text(1),
    note: text(1 + below(8)),
  })),
}))

/** Two texts of 2,000 lines of which one in twenty differs. @param {number} seed */
function texts(seed) {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const vocabulary = 'alpha beta gamma delta you are a helpful assistant answer the question with care'.split(' ')
  const line = () => Array.from({ length: 10 }, () => vocabulary[Math.floor(random() * vocabulary.length)]).join(' ')
  const before = Array.from({ length: 2_000 }, line)
  const after = before.map((same) => (random() < 0.05 ? line() : same))
  return /** @type {[string, string]} */ ([before.join('\n'), after.join('\n')])
}

/** @param {Bench} bench */
export default async function (bench) {
  await templates(bench)
  await diffs(bench)
  await chains(bench)
  await labels(bench)
  await tests(bench)
}

/** @param {Bench} bench */
async function templates(bench) {
  const noEscape = { noEscape: true }
  const ours = compileTemplate(/** @type {string} */ (prompt))
  const theirs = Handlebars.compile(prompt, noEscape)
  const sample = variables()
  if (ours.render(sample) !== theirs(sample)) throw new Error('both must render the same text')
  await bench.compare({
    cpu: true,
    name: 'render 1 KB with five variables',
    ours: () => ours.render(variables()),
    peer: () => theirs(variables()),
    peerName: 'Handlebars, precompiled',
    bar: 1,
    from: 'the most used engine of its kind',
  })

  const langChain = langChainTemplate(prompt)
  if ((await langChain.format(sample)) !== ours.render(sample)) throw new Error('all must render the same text')
  await bench.compare({
    cpu: true,
    name: 'render 1 KB with five variables',
    ours: () => ours.render(variables()),
    peer: () => langChain.format(variables()),
    peerName: '@langchain/core PromptTemplate',
    note: 'the template that our exporter gives it; its format() is asynchronous',
  })

  const ourList = compileTemplate(/** @type {string} */ (list))
  const theirList = Handlebars.compile(list, noEscape)
  for (const each of lists)
    if (ourList.render(each) !== theirList(each)) throw new Error('both must render the same list')
  const nextList = inTurn(lists)
  await bench.compare({
    cpu: true,
    name: 'each over 100 objects of four fields',
    ours: () => ourList.render(nextList()),
    peer: () => theirList(nextList()),
    peerName: 'Handlebars, precompiled',
    bar: 1,
    from: 'the most used engine of its kind',
  })

  const head = () => `${text(4)} ${count++}\n${prompt}`
  let count = 0
  await bench.compare({
    cpu: true,
    name: 'first render of a 1 KB template, compilation included',
    ours: () => compileTemplate(head()).render(variables()),
    peer: () => Handlebars.compile(head(), noEscape)(variables()),
    peerName: 'Handlebars',
    bar: 2,
    from: 'the most used engine of its kind',
    note: 'a new template each time, so that no cache helps',
  })
}

/** @param {Bench} bench */
async function diffs(bench) {
  const pairs = Array.from({ length: 8 }, (_, index) => texts(7 + index))
  const nextPair = inTurn(pairs)
  const dmp = new DiffMatchPatch()
  dmp.Diff_Timeout = 0
  /** @type {Record<string, (before: string, after: string) => unknown>} */
  const peers = {
    'fast-myers-diff': (before, after) => [...myersDiff(before.split('\n'), after.split('\n'))],
    'jsdiff diffLines': (before, after) => jsdiffLines(before, after),
    'jsdiff diffArrays': (before, after) => diffArrays(before.split('\n'), after.split('\n')),
    'diff-match-patch': (before, after) => {
      const { chars1, chars2, lineArray } = dmp.diff_linesToChars_(`${before}\n`, `${after}\n`)
      const diff = dmp.diff_main(chars1, chars2, false)
      dmp.diff_charsToLines_(diff, lineArray)
      return diff
    },
  }
  for (const [peerName, peer] of Object.entries(peers)) {
    await bench.compare({
      cpu: true,
      name: 'line diff of 2,000 lines, 5 % changed',
      ours: () => diffLines(...nextPair()),
      peer: () => peer(...nextPair()),
      peerName,
      bar: 0.8,
      from: 'the fastest of them is the measure',
    })
  }
  const differ = new PromptDiff()
  const versions = inTurn(pairs.map((pair) => pair.map((content) => ({ title: 'P', fields: { content } }))))
  await bench.compare({
    cpu: true,
    name: 'PromptDiff of two such versions',
    ours: () => {
      const [v1, v2] = versions()
      return v1 && v2 && differ.diff(v1, v2)
    },
    peer: () => peers['fast-myers-diff']?.(...nextPair()),
    peerName: 'fast-myers-diff, lines only',
  })
}

/** @param {string} content */
function langChainTemplate(content) {
  const { template, inputVariables, templateFormat } = new PromptExporter().toLangChain({ fields: { content } })
  return new PromptTemplate({ template, inputVariables, templateFormat })
}

/** @param {Bench} bench */
async function labels(bench) {
  const app = await createMinions({ storage: sqliteStorage({ path: ':memory:' }), plugins: [prompts()] })
  for (let count = 0; count < NEIGHBOURS; count++) {
    const { id } = await app.prompts.create({ title: `P${count}`, name: `p${count}`, content: 'Hi {{name}}' })
    await app.prompts.addVersion(id, { content: 'Hello {{name}}' })
    await app.prompts.labels.set(id, 'staging')
  }
  await app.prompts.labels.split('p0', 'production', [
    { version: 0, weight: 90 },
    { version: 1, weight: 10 },
  ])
  let count = 0
  const name = () => `p${count++ % NEIGHBOURS}`
  bench.value({
    name: 'resolve a label, 1,000 prompts in turn',
    value: await perSecond(() => app.prompts.labels.resolve(name(), 'staging')),
    unit: '/s',
    bar: 100_000,
    from: 'ten microseconds, less than a model call can notice',
    atLeast: true,
  })
  bench.value({
    name: 'render what a label stands for, 1,000 prompts in turn',
    value: await perSecond(() => app.prompts.render(name(), { name: 'Ada' }, { label: 'staging' })),
    unit: '/s',
    bar: 100_000,
    from: 'ten microseconds, less than a model call can notice',
    atLeast: true,
  })
  bench.value({
    name: 'resolve a label whose traffic is split, another key each time',
    value: await perSecond(() => app.prompts.labels.resolve('p0', 'production', `user-${count++}`)),
    unit: '/s',
    bar: 50_000,
    from: 'twenty microseconds, less than a model call can notice',
    atLeast: true,
  })
  await app.close()
}

/** promptfoo was measured at 50 deterministic tests a CPU second. @param {Bench} bench */
async function tests(bench) {
  const app = await createMinions({ storage: sqliteStorage({ path: ':memory:' }), plugins: [prompts()] })
  await app.prompts.create({ title: 'P', name: 'p', content: 'Dear {{name}}, how can we help?' })
  await app.prompts.addVersion('p', { content: 'Hello {{name}}, how can we help?' })
  const rows = Array.from({ length: 500 }, (_, row) => `n${row},n${row},100`)
  const csv = ['name,test.contains,test.maxLength', ...rows].join('\n')
  await app.prompts.tests.import('p', 'csv', () => csv)
  const perCpuSecond = async (/** @type {() => Promise<unknown>} */ work) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return Math.round(500 / ((user + system) / 1e6))
  }
  bench.value({
    name: 'run 500 deterministic tests and keep the results, a CPU second',
    value: await perCpuSecond(() => app.prompts.tests.runAll('p')),
    unit: '/s',
    bar: 250,
    from: 'two seconds for 500 tests, which a person waits for without doing something else',
    atLeast: true,
  })
  bench.value({
    name: 'gate of 500 deterministic tests, a CPU second',
    value: await perCpuSecond(() => app.prompts.gate('p')),
    unit: '/s',
    bar: 250,
    from: 'two seconds for 500 tests, which a person waits for without doing something else',
    atLeast: true,
  })
  await app.close()
}

/** How often a work can be done one after another. @param {() => Promise<unknown>} work */
async function perSecond(work) {
  const [times = []] = await measure([work], 15)
  return Math.round(1000 / describe(times).median)
}
