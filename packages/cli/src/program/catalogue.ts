import type { Command } from 'commander'
import type { Cli } from '../cli.js'

/** A file of `commands/`: it adds its commands to the program. */
interface CommandModule {
  register(program: Command, cli: Cli): void
}

/** Commands that belong together, and the module that has them. */
export interface CommandGroup {
  readonly title: string
  /** First words of command lines, with what the help says of each. */
  readonly commands: Readonly<Record<string, string>>
  /** Commands that programs call, which no list shows. */
  readonly hidden?: readonly string[]
  load(): Promise<CommandModule>
}

/** All commands. Only the module of the one that was asked for is ever loaded, so that starting stays quick. */
export const catalogue: readonly CommandGroup[] = [
  {
    title: 'First steps:',
    commands: { demo: 'run the example mission on a new store and look around in it' },
    load: () => import('../commands/demo.js'),
  },
  {
    title: 'First steps:',
    commands: { init: 'make this folder a place of its own: a configuration and a store' },
    load: () => import('../commands/init.js'),
  },
  {
    title: 'First steps:',
    commands: {
      studio: 'look at a store in the browser, and work on it',
      open: 'look at one minion in the Studio',
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
      restore: 'bring a deleted minion back',
      purge: 'remove a minion and its relations for good',
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
    commands: { watch: 'show changes as they are committed, by whichever program' },
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
    commands: { artifacts: 'what missions left: list, show' },
    load: () => import('../commands/artifacts.js'),
  },
  {
    title: 'Missions:',
    commands: { proposals: 'what missions want changed: list, show, approve, reject, apply' },
    load: () => import('../commands/proposals.js'),
  },
  {
    title: 'Missions:',
    commands: { approvals: 'what people must decide: list, show, approve, reject, watch' },
    load: () => import('../commands/approvals.js'),
  },
  {
    title: 'Missions:',
    commands: { policy: 'what may be done, what must be asked for: explain, show, publish, test' },
    load: () => import('../commands/policy.js'),
  },
  {
    title: 'Models:',
    commands: { models: 'language models, such as MINIONS_MODEL names one: list, test' },
    load: () => import('../commands/models.js'),
  },
  {
    title: 'Serving:',
    commands: { worker: 'do jobs and tasks of missions that any process on the store has submitted' },
    load: () => import('../commands/worker.js'),
  },
  {
    title: 'Serving:',
    commands: { cluster: 'workers on the store: status' },
    load: () => import('../commands/cluster.js'),
  },
  {
    title: 'Serving:',
    commands: { serve: 'serve everything over HTTP, to programs and pages' },
    load: () => import('../commands/serve.js'),
  },
  {
    title: 'Serving:',
    commands: { mcp: 'serve an agent over the Model Context Protocol, or tell it to use this store' },
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
      import: 'take a bundle in, whole or not at all',
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
    commands: { doctor: 'look for damage; exit with 1 when there is any' },
    load: () => import('../commands/doctor.js'),
  },
  {
    title: 'Care:',
    commands: { validate: 'say all that is wrong with a file; exit with 1 when there is anything' },
    load: () => import('../commands/validate.js'),
  },
  {
    title: 'Care:',
    commands: { schemas: 'the JSON Schemas of all records: list, export' },
    load: () => import('../commands/schemas.js'),
  },
  {
    title: 'Care:',
    commands: { operations: 'everything that can be done, by name: list, show, run' },
    load: () => import('../commands/operations.js'),
  },
  {
    title: 'Care:',
    commands: { config: 'the configuration, and where each value came from' },
    load: () => import('../commands/config.js'),
  },
  {
    title: 'Care:',
    commands: { completion: 'print what makes a shell complete this command: bash, zsh, fish, powershell' },
    hidden: ['complete'],
    load: () => import('../commands/completion.js'),
  },
]

/** Global options that are followed by a value. */
const WITH_VALUE = new Set(['--storage', '--plugin'])

/** The words of a command line that are not options: the command, and what stands behind it. */
export function wordsOf(argv: readonly string[]): string[] {
  const words: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (WITH_VALUE.has(word)) index++
    else if (!word.startsWith('-')) words.push(word)
  }
  return words[0] === 'help' ? words.slice(1) : words
}

/** The first word of a command line that is not an option; what `help` is asked about, too. */
export function commandName(argv: readonly string[]): string | undefined {
  return wordsOf(argv)[0]
}
