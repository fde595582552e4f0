import { approvals, type Explanation, type PolicyCall, type PolicyRule, type PolicyTest } from '@minions/approvals'
import { isRecord } from '@minions/core/json'
import { runOperation } from '@minions/core/operations'
import { GUARDED_KINDS, type GuardedKind } from '@minions/core/plugin'
import { InvalidArgumentError } from 'commander'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { parseJson, readSource } from '../input/content.js'
import { facts, print, sections, table } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

const FILE = 'JSON: rules, or { rules, tests }; - for standard input'

export function register(program: Command, cli: Cli): void {
  const group = program.command('policy')
  addCommand(
    group,
    'explain',
    'explain what the policy decides on a call, by which rule and why; exits with 1 if it is denied',
  )
    .examples('policy explain external_search', `policy explain tool:send_mail --arguments '{"to":"eve@example.com"}'`)
    .argument('<call>', 'the name of a tool, kind:name such as skill:send-mail, or a call as JSON')
    .with(callOptions)
    .action(async (text, options) => {
      const call = callOf(text, options)
      await withApp(cli, [approvals()], async (app) => {
        // As an operation, so that an invalid call is reported in the same words everywhere.
        const found = (await runOperation(app, 'policy.explain', call)) as Explanation
        const { action, rule, reason, version } = found
        print(cli, found, () =>
          sections(
            facts({ action, rule: rule ?? '(none matches)', reason, version }),
            table(found.considered, 'There are no rules; publish some with: minions policy publish <file>', {
              rule: 'rule',
              matches: (row) => (row.matches ? 'yes' : 'no'),
              because: 'because',
            }),
          ),
        )
        if (action === 'deny') cli.exitCode = 1
      })
    })
  addCommand(group, 'show', 'show the rules in force')
    .examples('policy show --json')
    .action(() =>
      withApp(cli, [approvals()], async ({ approvals: { policy } }) => {
        const current = await policy.current()
        const { version, by, at, note, tests, rules } = current
        print(cli, current, () =>
          sections(
            facts({ version, by, at, note, tests: tests.length }),
            table(rules, 'There are no rules: everything is allowed.', {
              rule: 'name',
              action: 'action',
              kind: (row) => [row.kind ?? 'all'].flat().join(', '),
              call: (row) => [row.call ?? '*'].flat().join(', '),
              reason: 'reason',
            }),
          ),
        )
      }),
    )
  addCommand(group, 'test', 'run the tests of a policy without publishing it; exits with 1 if one fails')
    .examples('policy test policy.json')
    .argument('[file]', `${FILE}; by default the published policy`)
    .action(async (file) => {
      const given = file === undefined ? {} : await readPolicy(cli, file)
      await withApp(cli, [approvals()], async (app) => {
        const result = (await runOperation(app, 'policy.test', given)) as {
          passed: boolean
          failures: { title: string; message: string }[]
        }
        print(cli, result, () =>
          result.passed
            ? 'All tests pass.'
            : table(result.failures, '', { test: (row) => row.title, failure: (row) => row.message }),
        )
        if (!result.passed) cli.exitCode = 1
      })
    })
  addCommand(group, 'publish', 'publish rules as the next version, if its tests pass')
    .examples('policy publish policy.json --by ada --note "Searches cost now."')
    .createsStore()
    .argument('<file>', FILE)
    .option('--by <who>', 'who publishes it')
    .option('--note <text>', 'what changed, and why')
    .option('--if-version <n>', 'fail unless this is the current version', wholeNumber())
    .action(async (file, { by, note, ifVersion }) => {
      const policy = await readPolicy(cli, file)
      await withApp(cli, [approvals()], async (app) => {
        const published = (await runOperation(
          app,
          'policy.publish',
          { ...policy, ...given({ note, ifVersion }) },
          given({ by }),
        )) as { version: number; rules: unknown[] }
        print(cli, published, () => `Published version ${published.version} with ${published.rules.length} rules.`)
      })
    })
}

function callOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--arguments <json>', 'arguments of the call')
    .option('--tenant <id>', 'within this tenant')
    .option('--role <role>', 'by a task of this role')
    .option('--sensitivity <class>', 'in a mission of this sensitivity class')
    .option('--cost <number>', 'expected cost', number)
    .option('--by <who>', 'on whose behalf')
}

function callOf(text: string, options: OptionsOf<typeof callOptions>): PolicyCall {
  const { arguments: json, ...rest } = options
  const more = given({ ...rest, arguments: json === undefined ? undefined : objectIn(json, '--arguments') })
  if (text.trimStart().startsWith('{')) return { ...(parseJson(text, 'the call') as PolicyCall), ...more }
  const at = text.indexOf(':')
  const kind = GUARDED_KINDS.find((each) => each === text.slice(0, Math.max(0, at)))
  const name = kind === undefined ? text : text.slice(at + 1)
  return { kind: kind ?? ('tool' satisfies GuardedKind), name, ...more }
}

function objectIn(text: string, where: string): Record<string, unknown> {
  const value = parseJson(text, where)
  if (isRecord(value)) return value
  throw new UsageError(`${where} must be a JSON object.`)
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number.')
}

async function readPolicy(cli: Cli, file: string): Promise<{ rules: PolicyRule[]; tests?: PolicyTest[] }> {
  const value = parseJson(await readSource(cli, file), file)
  return (Array.isArray(value) ? { rules: value } : value) as { rules: PolicyRule[]; tests?: PolicyTest[] }
}
