import { RulePriority } from '@minions/workspace'
import { InvalidArgumentError } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readContent, readObject } from '../../input/content.js'
import { facts, print, printTable } from '../../output/output.js'
import type { Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { withWorkspace, withWorkspaces, workspaceCommand } from '../../workspaces/workspaces.js'

export function registerRules(group: Command, cli: Cli): void {
  workspaceCommand(group, 'set-state', 'set one value of the state')
    .examples(
      'workspace set-state research --key task_priority --value high',
      'workspace set-state research --key budget --value 1200',
    )
    .option('--key <key>')
    .option('--value <value>', 'JSON if valid, otherwise text; @file or - for standard input')
    .option('--string', 'the value is text, whatever it looks like')
    .action(async (reference, options) => {
      const key = await required(cli, options.key, '--key <key>', 'Which key of the state')
      const text = await readContent(cli, await required(cli, options.value, '--value <value>', 'Its value'))
      const value = options.string ? text : jsonOrText(text)
      await withWorkspaces(cli, async ({ manager }) => {
        const { state } = await manager.setState(reference, key, value)
        print(cli, state, () => facts(state))
      })
    })
  workspaceCommand(group, 'add-rule', 'add a rule')
    .examples(
      `workspace add-rule research --name "Has agent" --priority HIGH --condition '{"type":"node_type_exists","node_type":"agent"}' --action '{"type":"assign_task"}'`,
    )
    .option('--name <name>')
    .option('--description <text>')
    .option('--priority <priority>', PRIORITIES.join(', '), readPriority, 'MEDIUM')
    .option('--condition <json>', 'when it holds (default: always)', undefined, '{}')
    .option('--action <json>', 'what should happen then', undefined, '{}')
    .option('--disabled', 'ignore it until it is enabled')
    .action(async (reference, options) => {
      const name = await required(cli, options.name, '--name <name>', 'The name of the rule')
      const condition = await readObject(cli, options.condition, '--condition')
      const action = await readObject(cli, options.action, '--action')
      const { description, disabled } = options
      const input = { name, condition, action, priority: RulePriority[options.priority], enabled: !disabled }
      await withWorkspaces(cli, async ({ manager }) => {
        const rule = await manager.addRule(reference, { ...input, ...given({ description }) })
        print(cli, rule.toDict(), () => `Added the rule ${name} (${rule.id}).`)
      })
    })
  workspaceCommand(group, 'remove-rule', 'remove a rule')
    .examples('workspace remove-rule research "Has agent"')
    .argument('<rule>', 'name, id, or id prefix')
    .on(cli, withWorkspaces, async ({ manager }, reference, rule) => {
      const { id, name } = await manager.removeRule(reference, rule)
      print(cli, { removed: id, name }, () => `Removed the rule ${name} (${id}).`)
    })
  workspaceCommand(group, 'evaluate', 'list the rules that hold now, with their actions')
    .examples('workspace evaluate research')
    .onNamed(cli, withWorkspace, (_, workspace) =>
      printTable(cli, workspace.evaluateStateLogic(), 'No rule holds.', {
        rule: 'rule_name',
        priority: 'priority',
        action: 'action',
      }),
    )
  workspaceCommand(group, 'explain', 'explain why each rule holds or does not')
    .examples('workspace explain research')
    .onNamed(cli, withWorkspace, (_, workspace) =>
      printTable(cli, workspace.explain(), 'There are no rules.', {
        rule: 'rule_name',
        holds: (row) => (row.matched ? 'yes' : 'no'),
        why: 'reason',
      }),
    )
}

type Priority = keyof typeof RulePriority

const PRIORITIES = Object.keys(RulePriority) as Priority[]

function readPriority(text: string): Priority {
  const priority = PRIORITIES.find((each) => each === text.toUpperCase())
  if (priority !== undefined) return priority
  throw new InvalidArgumentError(`Choose a priority: ${PRIORITIES.join(', ')}.`)
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
