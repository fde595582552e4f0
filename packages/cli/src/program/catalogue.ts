import type { Command } from 'commander'
import type { Cli } from '../cli.js'

/** A file of `commands/`: it adds its commands to the program. */
interface CommandModule {
  register(program: Command, cli: Cli): void
}

/** Commands that belong together, and the module that has them. */
export interface CommandGroup {
  readonly title: string
  /** First words of command lines, with their help texts. */
  readonly commands: Readonly<Record<string, string>>
  /** Commands for programs, which are not listed. */
  readonly hidden?: readonly string[]
  load(): Promise<CommandModule>
}

/** All commands. Only the module of the requested command is loaded, so that starting stays fast. */
export const catalogue: readonly CommandGroup[] = [
  {
    title: 'First steps:',
    commands: { demo: 'run the example mission on a new store and explore the result' },
    load: () => import('../commands/demo.js'),
  },
  {
    title: 'First steps:',
    commands: { init: 'set up this folder with a configuration and a store of its own' },
    load: () => import('../commands/init.js'),
  },
  {
    title: 'First steps:',
    commands: {
      studio: 'open a store in the browser, to view and edit it',
      open: 'open one minion in the Studio',
    },
    load: () => import('../commands/studio.js'),
  },
  {
    title: 'Objects:',
    commands: {
      create: 'create a minion',
      get: 'show a minion',
      update: 'change a minion',
      delete: 'delete a minion so that it can be restored',
      restore: 'restore a deleted minion',
      purge: 'permanently remove a minion and its relations',
    },
    load: () => import('../commands/objects.js'),
  },
  {
    title: 'Objects:',
    commands: { list: 'list minions', search: 'search the text of minions' },
    load: () => import('../commands/listing.js'),
  },
  {
    title: 'Objects:',
    commands: { types: 'the types of minions: list, show, create, evolve' },
    load: () => import('../commands/types.js'),
  },
  {
    title: 'Objects:',
    commands: {
      link: 'relate two minions',
      unlink: 'remove a relation',
      tree: 'show a minion and everything below it',
      graph: 'draw minions and their relations as Mermaid or DOT',
    },
    load: () => import('../commands/relations.js'),
  },
  {
    title: 'Objects:',
    commands: { watch: 'show changes from any process as they are committed' },
    load: () => import('../commands/watch.js'),
  },
  {
    title: 'Prompts:',
    commands: { prompts: 'versioned prompts: write, render, test, compare, publish' },
    load: () => import('../commands/prompts.js'),
  },
  {
    title: 'Workspaces:',
    commands: { workspace: 'workspaces: state, rules, folder, context' },
    load: () => import('../commands/workspace.js'),
  },
  {
    title: 'Skills:',
    commands: {
      skills: 'skills: list, show, load, run, deps, validate, export, lock',
      agents: 'subagents: list, show, pause, resume, cancel',
    },
    load: () => import('../commands/skills.js'),
  },
  {
    title: 'Skills:',
    commands: { executions: 'executions of skills and their logs: list, show' },
    load: () => import('../commands/executions.js'),
  },
  {
    title: 'Missions:',
    commands: { colony: 'missions: validate, run, list, watch, pause, resume, cancel, status, show, replay, graph' },
    load: () => import('../commands/colony.js'),
  },
  {
    title: 'Missions:',
    commands: { artifacts: 'artifacts of missions: list, show' },
    load: () => import('../commands/artifacts.js'),
  },
  {
    title: 'Missions:',
    commands: { proposals: 'changes that missions propose: list, show, approve, reject, apply' },
    load: () => import('../commands/proposals.js'),
  },
  {
    title: 'Missions:',
    commands: { approvals: 'calls that wait for a person to decide: list, show, approve, reject, watch' },
    load: () => import('../commands/approvals.js'),
  },
  {
    title: 'Missions:',
    commands: { policy: 'rules for what may run and what needs approval: explain, show, publish, test' },
    load: () => import('../commands/policy.js'),
  },
  {
    title: 'Models:',
    commands: { models: 'language models, such as the one in MINIONS_MODEL: list, test' },
    load: () => import('../commands/models.js'),
  },
  {
    title: 'Serving:',
    commands: { worker: 'run jobs and mission tasks that any process on the store has submitted' },
    load: () => import('../commands/worker.js'),
  },
  {
    title: 'Serving:',
    commands: { cluster: 'workers on the store: status' },
    load: () => import('../commands/cluster.js'),
  },
  {
    title: 'Serving:',
    commands: { serve: 'serve everything over HTTP' },
    load: () => import('../commands/serve.js'),
  },
  {
    title: 'Serving:',
    commands: { mcp: 'serve agents over the Model Context Protocol, or set one up to use this store' },
    load: () => import('../commands/mcp.js'),
  },
  {
    title: 'Serving:',
    commands: { keys: 'API keys of the server: create, list, revoke' },
    load: () => import('../commands/keys.js'),
  },
  {
    title: 'Care:',
    commands: {
      export: 'write types, minions and relations as a bundle',
      import: 'import a bundle, all or nothing',
    },
    load: () => import('../commands/bundles.js'),
  },
  {
    title: 'Care:',
    commands: { copy: 'copy everything from one store to another' },
    load: () => import('../commands/copy.js'),
  },
  {
    title: 'Care:',
    commands: { doctor: 'check for damage and repair it; exits with 1 if any remains' },
    load: () => import('../commands/doctor.js'),
  },
  {
    title: 'Care:',
    commands: { validate: 'list every problem in a file; exits with 1 if there is one' },
    load: () => import('../commands/validate.js'),
  },
  {
    title: 'Care:',
    commands: { schemas: 'the JSON Schemas of all records: list, export' },
    load: () => import('../commands/schemas.js'),
  },
  {
    title: 'Care:',
    commands: { operations: 'all operations, by name: list, show, run' },
    load: () => import('../commands/operations.js'),
  },
  {
    title: 'Care:',
    commands: { config: 'the configuration, and where each value came from' },
    load: () => import('../commands/config.js'),
  },
  {
    title: 'Care:',
    commands: { completion: 'print a completion script for bash, zsh, fish or PowerShell' },
    hidden: ['complete'],
    load: () => import('../commands/completion.js'),
  },
]

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
