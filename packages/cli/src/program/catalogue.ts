import type { Cli } from '../cli.js'
import type { Command } from './command.js'

/** A file of `commands/`: it adds its commands to the program. */
interface CommandModule {
  register(program: Command, cli: Cli): void
}

/** All commands by heading, with their help texts. */
export const catalogue: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'First steps:': {
    demo: 'run the example mission on a new store and explore the result',
    init: 'set up this folder with a configuration and a store of its own',
    studio: 'open a store in the browser, to view and edit it',
    open: 'open one minion in the Studio',
  },
  'Objects:': {
    create: 'create a minion',
    get: 'show a minion',
    update: 'change a minion',
    delete: 'delete a minion so that it can be restored',
    restore: 'restore a deleted minion',
    purge: 'permanently remove a minion and its relations',
    list: 'list minions',
    search: 'search the text of minions',
    types: 'the types of minions: list, show, create, evolve',
    link: 'relate two minions',
    unlink: 'remove a relation',
    tree: 'show a minion and everything below it',
    graph: 'draw minions and their relations as Mermaid or DOT',
    watch: 'show changes from any process as they are committed',
  },
  'Prompts:': {
    prompts: 'versioned prompts: write, render, test, compare, publish',
  },
  'Workspaces:': {
    workspace: 'workspaces: state, rules, folder, context',
  },
  'Skills:': {
    skills: 'skills: list, show, load, run, deps, validate, export, lock',
    agents: 'subagents: list, show, pause, resume, cancel',
    executions: 'executions of skills and their logs: list, show',
  },
  'Missions:': {
    colony: 'missions: validate, run, list, watch, pause, resume, cancel, status, show, replay, graph',
    artifacts: 'artifacts of missions: list, show',
    proposals: 'changes that missions propose: list, show, approve, reject, apply',
    approvals: 'calls that wait for a person to decide: list, show, approve, reject, watch',
    policy: 'rules for what may run and what needs approval: explain, show, publish, test',
  },
  'Models:': {
    models: 'language models, such as the one in MINIONS_MODEL: list, test',
  },
  'Serving:': {
    worker: 'run jobs and mission tasks that any process on the store has submitted',
    cluster: 'workers on the store: status',
    serve: 'serve everything over HTTP',
    mcp: 'serve agents over the Model Context Protocol, or set one up to use this store',
    keys: 'API keys of the server: create, list, revoke',
  },
  'Care:': {
    export: 'write types, minions and relations as a bundle',
    import: 'import a bundle, all or nothing',
    copy: 'copy everything from one store to another',
    doctor: 'check for damage and repair it; exits with 1 if any remains',
    validate: 'list every problem in a file; exits with 1 if there is one',
    schemas: 'the JSON Schemas of all records: list, export',
    operations: 'all operations, by name: list, show, run',
    config: 'the configuration, and where each value came from',
    completion: 'print a completion script for bash, zsh, fish or PowerShell',
  },
}

/** The files of commands, each with the names of its own; `complete` is for the scripts of shells, and not listed. */
const FILES: readonly (readonly [names: string, load: () => Promise<CommandModule>])[] = [
  ['demo', () => import('../commands/demo.js')],
  ['init', () => import('../commands/init.js')],
  ['studio open', () => import('../commands/studio.js')],
  ['create get update delete restore purge', () => import('../commands/objects.js')],
  ['list search', () => import('../commands/listing.js')],
  ['types', () => import('../commands/types.js')],
  ['link unlink tree graph', () => import('../commands/relations.js')],
  ['watch', () => import('../commands/watch.js')],
  ['prompts', () => import('../commands/prompts.js')],
  ['workspace', () => import('../commands/workspace.js')],
  ['skills agents', () => import('../commands/skills.js')],
  ['executions', () => import('../commands/executions.js')],
  ['colony', () => import('../commands/colony.js')],
  ['artifacts', () => import('../commands/artifacts.js')],
  ['proposals', () => import('../commands/proposals.js')],
  ['approvals', () => import('../commands/approvals.js')],
  ['policy', () => import('../commands/policy.js')],
  ['models', () => import('../commands/models.js')],
  ['worker', () => import('../commands/worker.js')],
  ['cluster', () => import('../commands/cluster.js')],
  ['serve', () => import('../commands/serve.js')],
  ['mcp', () => import('../commands/mcp.js')],
  ['keys', () => import('../commands/keys.js')],
  ['export import', () => import('../commands/bundles.js')],
  ['copy', () => import('../commands/copy.js')],
  ['doctor', () => import('../commands/doctor.js')],
  ['validate', () => import('../commands/validate.js')],
  ['schemas', () => import('../commands/schemas.js')],
  ['operations', () => import('../commands/operations.js')],
  ['config', () => import('../commands/config.js')],
  ['completion complete', () => import('../commands/completion.js')],
]

/** The module of each command. Only that of the requested one is loaded, so that starting stays fast. */
export const modules: ReadonlyMap<string, () => Promise<CommandModule>> = new Map(
  FILES.flatMap(([names, load]) => names.split(' ').map((name) => [name, load])),
)

/** Global options that are followed by a value. */
const WITH_VALUE = new Set(['--storage', '--plugin'])

/** The words of a command line that are not options: the command and its arguments. */
export function wordsOf(argv: readonly string[]): string[] {
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (WITH_VALUE.has(word)) index++
    else if (!word.startsWith('-')) words.push(word)
  }
  return words[0] === 'help' ? words.slice(1) : words
}

/** The first word of a command line that is not an option, or the subject of `help`. */
export function commandName(argv: readonly string[]): string | undefined {
  return wordsOf(argv)[0]
}
