import { RulePriority } from '@minions/workspace'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readContent, readObject } from '../../input/content.js'
import { facts, print, table } from '../../output/output.js'
import { examples, given } from '../../program/options.js'
import { loaded, withWorkspaces } from '../../workspaces/workspaces.js'

interface RuleOptions {
  readonly name?: string
  readonly description?: string
  readonly priority: keyof typeof RulePriority
  readonly condition: string
  readonly action: string
  readonly disabled?: boolean
}

interface StateOptions {
  readonly key?: string
  readonly value?: string
  readonly string?: boolean
}

const WORKSPACE = ['<workspace>', 'name, id, or id prefix'] as const

/** `set-state`, `add-rule`, `remove-rule`, `evaluate` and `explain`. */
export function registerRules(group: Command, cli: Cli): void {
  examples(
    group
      .command('set-state')
      .description('set one value of the state')
      .argument(...WORKSPACE)
      .option('--key <key>')
      .option('--value <value>', 'JSON if valid, otherwise text; @file or - for standard input')
      .option('--string', 'the value is text, whatever it looks like')
      .action((reference: string, options: StateOptions) => setState(cli, reference, options)),
    'workspace set-state research --key task_priority --value high',
    'workspace set-state research --key budget --value 1200',
  )
  examples(
    group
      .command('add-rule')
      .description('add a rule')
      .argument(...WORKSPACE)
      .option('--name <name>')
      .option('--description <text>')
      .addOption(priorityOption())
      .option('--condition <json>', 'when it holds (default: always)', '{}')
      .option('--action <json>', 'what should happen then', '{}')
      .option('--disabled', 'ignore it until it is enabled')
      .action((reference: string, options: RuleOptions) => addRule(cli, reference, options)),
    `workspace add-rule research --name "Has agent" --priority HIGH --condition '{"type":"node_type_exists","node_type":"agent"}' --action '{"type":"assign_task"}'`,
  )
  examples(
    group
      .command('remove-rule')
      .description('remove a rule')
      .argument(...WORKSPACE)
      .argument('<rule>', 'name, id, or id prefix')
      .action((reference: string, rule: string) => removeRule(cli, reference, rule)),
    'workspace remove-rule research "Has agent"',
  )
  examples(
    group
      .command('evaluate')
      .description('list the rules that hold now, with their actions')
      .argument(...WORKSPACE)
      .action((reference: string) => evaluate(cli, reference)),
    'workspace evaluate research',
  )
  examples(
    group
      .command('explain')
      .description('explain why each rule holds or does not')
      .argument(...WORKSPACE)
      .action((reference: string) => explain(cli, reference)),
    'workspace explain research',
  )
}

function priorityOption(): Option {
  const names = Object.keys(RulePriority).join(', ')
  return new Option('--priority <priority>', names).default('MEDIUM').argParser((value) => {
    const priority = value.toUpperCase()
    if (Object.hasOwn(RulePriority, priority)) return priority
    throw new InvalidArgumentError(`Choose a priority: ${names}.`)
  })
}

async function setState(cli: Cli, reference: string, options: StateOptions): Promise<void> {
  const key = await required(cli, options.key, '--key <key>', 'Which key of the state')
  const text = await readContent(cli, await required(cli, options.value, '--value <value>', 'Its value'))
  const value = options.string ? text : jsonOrText(text)
  await withWorkspaces(cli, async ({ manager }) => {
    const { state } = await manager.setState(reference, key, value)
    print(cli, state, () => facts(state))
  })
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function addRule(cli: Cli, reference: string, options: RuleOptions): Promise<void> {
  const name = await required(cli, options.name, '--name <name>', 'The name of the rule')
  const condition = await readObject(cli, options.condition, '--condition')
  const action = await readObject(cli, options.action, '--action')
  const { description, disabled } = options
  const input = { name, condition, action, priority: RulePriority[options.priority], enabled: !disabled }
  await withWorkspaces(cli, async ({ manager }) => {
    const rule = await manager.addRule(reference, { ...input, ...given({ description }) })
    print(cli, rule.toDict(), () => `Added the rule ${name} (${rule.id}).`)
  })
}

async function removeRule(cli: Cli, reference: string, rule: string): Promise<void> {
  await withWorkspaces(cli, async ({ manager }) => {
    const { id, name } = await manager.removeRule(reference, rule)
    print(cli, { removed: id, name }, () => `Removed the rule ${name} (${id}).`)
  })
}

async function evaluate(cli: Cli, reference: string): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const matches = (await loaded(location, reference)).evaluateStateLogic()
    print(cli, matches, () =>
      table(
        matches,
        { rule: (row) => row.rule_name, priority: (row) => row.priority, action: (row) => row.action },
        'No rule holds.',
      ),
    )
  })
}

async function explain(cli: Cli, reference: string): Promise<void> {
  await withWorkspaces(cli, async (location) => {
    const explanations = (await loaded(location, reference)).explain()
    print(cli, explanations, () =>
      table(
        explanations,
        { rule: (row) => row.rule_name, holds: (row) => (row.matched ? 'yes' : 'no'), why: (row) => row.reason },
        'There are no rules.',
      ),
    )
  })
}
