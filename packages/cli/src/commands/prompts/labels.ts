import { asLabels, type LabelState, type MoveOptions, type SplitShare } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { note, print, table } from '../../output/output.js'
import { examples, given, wholeNumber } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { comparisonText } from './comparison-output.js'
import { type PromptsApp, withPrompts } from './prompts-app.js'

interface HowOptions {
  readonly by?: string
  readonly reason?: string
  readonly ifMove?: number
}

/** `labels list`, `set`, `remove`, `history`, `split`, `stop`, `compare`, `protect` and `unprotect`. */
export function registerLabels(prompts: Command, cli: Cli): void {
  const labels = prompts.command('labels').description('names for versions that can be moved, such as staging')
  examples(
    onPrompt(labels, 'list', 'which versions the labels of a prompt point to').action((prompt: string) =>
      withPrompts(cli, async (app) => show(cli, app, await app.prompts.labels.list(await app.prompts.resolve(prompt)))),
    ),
    'prompts labels list Greeting',
  )
  examples(
    onPrompt(labels, 'history', 'every move of the labels of a prompt, oldest first')
      .argument('[label]', 'of this label only')
      .action((prompt: string, label?: string) =>
        withPrompts(cli, async (app) =>
          show(cli, app, await app.prompts.labels.history(await app.prompts.resolve(prompt), label)),
        ),
      ),
    'prompts labels history Greeting production',
  )
  registerMoves(labels, cli)
  registerProtection(labels, cli)
}

function registerMoves(labels: Command, cli: Cli): void {
  examples(
    withHow(onLabel(labels, 'set', 'point a label at a version; moving production publishes it'))
      .argument('[version]', 'number, id, or beginning of an id (default: the latest)')
      .action((prompt: string, label: string, version: string | undefined, options: HowOptions) =>
        move(cli, prompt, [version], options, (app, id, [chosen], how) =>
          app.prompts.labels.set(id, label, chosen, how),
        ),
      ),
    'prompts labels set Greeting staging 1',
    'prompts labels set Greeting production --by ada --reason "Passed the gate"',
  )
  examples(
    withHow(onLabel(labels, 'remove', 'remove a label; its history stays')).action(
      (prompt: string, label: string, options: HowOptions) =>
        move(cli, prompt, [], options, (app, id, _, how) => app.prompts.labels.remove(id, label, how)),
    ),
    'prompts labels remove Greeting staging',
  )
  examples(
    withHow(onLabel(labels, 'split', 'let several versions share the traffic of a label; the first is the control'))
      .argument('<version=weight...>', 'versions with their share in per cent; all add up to 100')
      .option('--salt <text>', 'determines, with the key of a request, which version it gets')
      .action((prompt: string, label: string, shares: string[], options: HowOptions & { salt?: string }) => {
        const pairs = shares.map(share)
        const versions = pairs.map(([version]) => version)
        const { salt } = options
        return move(cli, prompt, versions, options, (app, id, chosen, how) => {
          const list = pairs.map(([, weight], index) => ({ version: chosen[index], weight })) as SplitShare[]
          return app.prompts.labels.split(id, label, list, { ...how, ...given({ salt }) })
        })
      }),
    'prompts labels split Greeting production 0=90 1=10',
  )
  examples(
    withHow(onLabel(labels, 'stop', 'end a split at once: all traffic goes to its control, or to a version'))
      .argument('[version]', 'number, id, or beginning of an id (default: the control)')
      .action((prompt: string, label: string, version: string | undefined, options: HowOptions) =>
        move(cli, prompt, [version], options, (app, id, [chosen], how) =>
          app.prompts.labels.stopSplit(id, label, chosen, how),
        ),
      ),
    'prompts labels stop Greeting production',
  )
  examples(
    onLabel(labels, 'compare', 'compare the recorded results of the versions that share traffic').action(
      (prompt: string, label: string) =>
        withPrompts(cli, async (app) => {
          const result = await app.prompts.labels.compare(await app.prompts.resolve(prompt), label)
          print(cli, result, () =>
            result.versions
              .map(({ versionId, results, comparison }) =>
                comparison
                  ? `${versionId} (${results} results) against ${result.control.versionId} (${result.control.results})\n${comparisonText(comparison)}`
                  : `${versionId}: not enough results yet (${results})`,
              )
              .join('\n\n'),
          )
        }),
    ),
    'prompts labels compare Greeting production',
  )
}

function registerProtection(labels: Command, cli: Cli): void {
  examples(
    labels
      .command('protect')
      .description('protect a label on all prompts: only a person other than the author may move it')
      .argument('<label>')
      .option('--by <who>', 'who does it')
      .action((label: string, { by }: { by?: string }) =>
        withPrompts(cli, async (app) => {
          const rule = await app.prompts.labels.protect(label, given({ by }))
          print(cli, rule, () => `${label} is protected.`)
        }),
      ),
    'prompts labels protect production',
  )
  examples(
    labels
      .command('unprotect')
      .description('let anyone move a label again')
      .argument('<label>')
      .action((label: string) =>
        withPrompts(cli, async (app) => {
          const unprotected = await app.prompts.labels.unprotect(label)
          print(cli, { unprotected }, () =>
            unprotected ? `${label} is no longer protected.` : `${label} was not protected.`,
          )
        }),
      ),
    'prompts labels unprotect production',
  )
}

function onPrompt(labels: Command, name: string, description: string): Command {
  return labels.command(name).description(description).argument('<prompt>', 'name, title, id, or id prefix')
}

function onLabel(labels: Command, name: string, description: string): Command {
  return onPrompt(labels, name, description).argument('<label>', 'such as production or staging')
}

function withHow(command: Command): Command {
  return command
    .option('--by <who>', 'who does it')
    .option('--reason <text>', 'why')
    .option('--if-move <n>', 'only if the label has been moved exactly this many times', wholeNumber(0))
}

type Chosen = string | number | undefined

async function move(
  cli: Cli,
  prompt: string,
  versions: readonly (string | undefined)[],
  { by, reason, ifMove }: HowOptions,
  work: (app: PromptsApp, id: string, versions: readonly Chosen[], options: MoveOptions) => Promise<LabelState>,
): Promise<void> {
  await withPrompts(cli, async (app) => {
    const id = await app.prompts.resolve(prompt)
    const chosen: Chosen[] = []
    for (const version of versions) {
      const reference = await app.prompts.resolve(id, version)
      chosen.push(typeof reference === 'string' ? undefined : reference.version)
    }
    const state = await work(app, id, chosen, given({ by, reason, ifMove }))
    const [label] = await asLabels(app.prompts, [state])
    print(cli, label, () => labelTable(label ? [label] : []))
    note(cli, `That was move ${state.move} of ${state.label}.`)
  })
}

async function show(cli: Cli, app: PromptsApp, states: readonly LabelState[]): Promise<void> {
  const labels = await asLabels(app.prompts, states)
  print(cli, labels, () => labelTable(labels))
}

function labelTable(labels: Awaited<ReturnType<typeof asLabels>>): string {
  return table(
    labels,
    {
      label: ({ label }) => label,
      move: ({ move: count }) => count,
      versions: ({ targets }) =>
        targets.map(({ version, versionId, weight }) => shareText(version ?? versionId, weight)).join(', ') ||
        'removed',
      by: ({ by }) => by,
      at: ({ at }) => at,
      reason: ({ reason }) => reason,
    },
    'No moves.',
  )
}

function shareText(version: number | string, weight: number): string {
  const name = typeof version === 'number' ? `v${version}` : version
  return weight === 100 ? name : `${name} ${weight} %`
}

function share(text: string): [version: string, weight: number] {
  const at = text.lastIndexOf('=')
  const weight = Number(text.slice(at + 1))
  if (at > 0 && text.slice(at + 1).trim() !== '' && !Number.isNaN(weight)) return [text.slice(0, at), weight]
  throw new UsageError(`"${text}" must be a version and its share, such as 1=10`)
}
