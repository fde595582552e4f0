// @ts-check
import { PromptTemplate } from '@langchain/core/prompts'
import { Minions, memoryStorage } from '@minions/core'
import { PromptExporter } from '@minions/exporters'
import { compileTemplate, diffLines, PromptDiff, PromptsApi, promptPluginTypes } from '@minions/prompts'
import { diffArrays, diffLines as jsdiffLines } from 'diff'
import DiffMatchPatch from 'diff-match-patch'
import { diff as myersDiff } from 'fast-myers-diff'
import Handlebars from 'handlebars'

/** @import { Bench } from '../area.mjs' */

/** A prompt of about 1 KB with five variables. */
const prompt = `You are {{role}}, an assistant for {{company}}.
${'Answer briefly, cite your sources and never invent facts that you cannot support. '.repeat(5)}
The reader is {{reader}} and speaks {{language}}.
${'If the question is unclear, ask one question back before you answer it at length. '.repeat(5)}
Question: {{question}}
`
const variables = {
  role: 'a careful analyst',
  company: 'Example Ltd',
  reader: 'an engineer',
  language: 'English',
  question: 'How many moons does Mars have, and what are they called?',
}

const list = '{{#each users}}- {{name}} ({{role}}), {{city}}: {{note}}\n{{/each}}'
const users = Array.from({ length: 100 }, (_, index) => ({
  name: `User ${index}`,
  role: index % 3 ? 'editor' : 'admin',
  city: 'Vienna',
  note: 'prefers short answers',
}))

/** Two texts of 2,000 lines of which one in twenty differs. */
function texts() {
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const words = 'alpha beta gamma delta you are a helpful assistant answer the question with care'.split(' ')
  const line = () => Array.from({ length: 10 }, () => words[Math.floor(random() * words.length)]).join(' ')
  const before = Array.from({ length: 2_000 }, line)
  return [before, before.map((text) => (random() < 0.05 ? line() : text))].map((lines) => lines.join('\n'))
}

/** @param {Bench} bench */
export default async function (bench) {
  await templates(bench)
  await diffs(bench)
  await chains(bench)
}

/** @param {Bench} bench */
async function templates(bench) {
  const noEscape = { noEscape: true }
  const ours = compileTemplate(/** @type {string} */ (prompt))
  const theirs = Handlebars.compile(prompt, noEscape)
  if (ours.render(variables) !== theirs(variables)) throw new Error('both must render the same text')
  await bench.compare({
    name: 'render 1 KB with five variables',
    ours: () => ours.render(variables),
    peer: () => theirs(variables),
    peerName: 'Handlebars, precompiled',
    bar: 1,
  })

  const langChain = langChainTemplate(prompt)
  if ((await langChain.format(variables)) !== ours.render(variables)) throw new Error('all must render the same text')
  await bench.compare({
    name: 'render 1 KB with five variables',
    ours: () => ours.render(variables),
    peer: () => langChain.format(variables),
    peerName: '@langchain/core PromptTemplate',
    note: 'the template that our exporter gives it; its format() is asynchronous',
  })

  const ourList = compileTemplate(/** @type {string} */ (list))
  const theirList = Handlebars.compile(list, noEscape)
  if (ourList.render({ users }) !== theirList({ users })) throw new Error('both must render the same list')
  await bench.compare({
    name: 'each over 100 objects of four fields',
    ours: () => ourList.render({ users }),
    peer: () => theirList({ users }),
    peerName: 'Handlebars, precompiled',
    bar: 1,
  })

  let count = 0
  await bench.compare({
    name: 'first render of a 1 KB template, compilation included',
    ours: () => compileTemplate(`${prompt}${count++}`).render(variables),
    peer: () => Handlebars.compile(`${prompt}${count++}`, noEscape)(variables),
    peerName: 'Handlebars',
    bar: 2,
    note: 'a new template each time, so that no cache helps',
  })
}

/** @param {Bench} bench */
async function diffs(bench) {
  const [before = '', after = ''] = texts()
  const dmp = new DiffMatchPatch()
  dmp.Diff_Timeout = 0
  const peers = {
    'fast-myers-diff': () => [...myersDiff(before.split('\n'), after.split('\n'))],
    'jsdiff diffLines': () => jsdiffLines(before, after),
    'jsdiff diffArrays': () => diffArrays(before.split('\n'), after.split('\n')),
    'diff-match-patch': () => {
      const { chars1, chars2, lineArray } = dmp.diff_linesToChars_(`${before}\n`, `${after}\n`)
      const diff = dmp.diff_main(chars1, chars2, false)
      dmp.diff_charsToLines_(diff, lineArray)
      return diff
    },
  }
  for (const [peerName, peer] of Object.entries(peers)) {
    await bench.compare({
      name: 'line diff of 2,000 lines, 5 % changed',
      ours: () => diffLines(before, after),
      peer,
      peerName,
      bar: 0.8,
    })
  }
  const differ = new PromptDiff()
  const [v1, v2] = [before, after].map((content) => ({ title: 'P', fields: { content } }))
  if (!v1 || !v2) throw new Error('two versions are compared')
  await bench.compare({
    name: 'PromptDiff of two such versions',
    ours: () => differ.diff(v1, v2),
    peer: peers['fast-myers-diff'],
    peerName: 'fast-myers-diff, lines only',
  })
}

/** @param {string} content */
function langChainTemplate(content) {
  const { template, inputVariables, templateFormat } = new PromptExporter().toLangChain({ fields: { content } })
  return new PromptTemplate({ template, inputVariables, templateFormat })
}

/** @param {Bench} bench */
async function chains(bench) {
  /** @type {Minions[]} */
  const clients = []
  const longPrompt = async (/** @type {number} */ versions) => {
    const client = await Minions.open({ storage: memoryStorage(), types: promptPluginTypes })
    clients.push(client)
    const api = new PromptsApi(client)
    const { id } = await api.create({ title: 'P', content: 'Hi {{name}}' })
    for (let last = id, count = 0; count < versions; count++) {
      last = (await api.addVersion(last, { content: `Hi {{name}} ${count}` })).id
    }
    return { api, id }
  }
  const sizes = [1_000, 10_000]
  const prompts = new Map(
    await Promise.all(sizes.map(async (size) => /** @type {const} */ ([size, await longPrompt(size)]))),
  )
  const promptOf = (/** @type {number} */ size) => {
    const prompt = prompts.get(size)
    if (!prompt) throw new Error(`there is no prompt of ${size} versions`)
    return prompt
  }
  await bench.growth({
    name: 'history of a prompt',
    sizes,
    setup: (size) => () => promptOf(size).api.history(promptOf(size).id),
    bar: 20,
    note: 'versions; linear time is 10 ×',
    rounds: 5,
  })
  await bench.growth({
    name: 'latest version of a prompt',
    sizes,
    setup: (size) => () => promptOf(size).api.latest(promptOf(size).id),
    bar: 3,
    note: 'versions',
    rounds: 5,
  })
  for (const client of clients) await client.close()
}
