import { asLabels, type LabelState, type SplitShare, type VersionChoice } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { note, print, table } from '../../output/output.js'
import { addCommand, type Command, type CommandBuilder } from '../../program/command.js'
import { given, wholeNumber } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { comparisonText } from './comparison-output.js'
import { BY, type PromptsApp, promptCommand, withPrompt, withPrompts } from './prompts-app.js'

const LABEL = ['<label>', 'such as production or staging'] as const

export function registerLabels(prompts: Command, cli: Cli): void {
  const labels = prompts.command('labels').description('names for versions that can be moved, such as staging')
  promptCommand(labels, 'list', 'which versions the labels of a prompt point to')
    .examples('prompts labels list Greeting')
    .onNamed(cli, withPrompt, async (app, id) => show(cli, app, await app.prompts.labels.list(id)))
  promptCommand(labels, 'history', 'every move of the labels of a prompt, oldest first')
    .examples('prompts labels history Greeting production')
    .argument('[label]', 'of this label only')
    .onNamed(cli, withPrompt, async (app, id, label) => show(cli, app, await app.prompts.labels.history(id, label)))
  registerMoves(labels, cli)
  promptCommand(labels, 'compare', 'compare the recorded results of the versions that share traffic')
    .examples('prompts labels compare Greeting production')
    .argument(...LABEL)
    .onNamed(cli, withPrompt, async (app, id, label) => {
      const result = await app.prompts.labels.compare(id, label)
      print(cli, result, () =>
        result.versions
          .map(({ versionId, results, comparison }) =>
            comparison
              ? `${versionId} (${results} results) against ${result.control.versionId} (${result.control.results})\n${comparisonText(comparison)}`
              : `${versionId}: not enough results yet (${results})`,
          )
          .join('\n\n'),
      )
    })
  addCommand(labels, 'protect', 'protect a label on all prompts: only a person other than the author may move it')
    .examples('prompts labels protect production')
    .argument('<label>')
    .option(...BY)
    .on(cli, withPrompts, async (app, label, { by }) => {
      const rule = await app.prompts.labels.protect(label, given({ by }))
      print(cli, rule, () => `${label} is protected.`)
    })
  addCommand(labels, 'unprotect', 'let anyone move a label again')
    .examples('prompts labels unprotect production')
    .argument('<label>')
    .on(cli, withPrompts, async (app, label) => {
      const unprotected = await app.prompts.labels.unprotect(label)
      print(cli, { unprotected }, () =>
        unprotected ? `${label} is no longer protected.` : `${label} was not protected.`,
      )
    })
}

function registerMoves(labels: Command, cli: Cli): void {
  const move = (name: string, method: 'set' | 'stopSplit', description: string, byDefault: string) =>
    promptCommand(labels, name, description)
      .argument(...LABEL)
      .argument('[version]', `number, id, or beginning of an id (default: ${byDefault})`)
      .with(moveOptions)
      .onNamed(cli, withPrompt, async (app, id, label, version, how) => {
        const chosen = await versionMeant(app, id, version)
        await showMove(cli, app, await app.prompts.labels[method](id, label, chosen, given(how)))
      })
  move('set', 'set', 'point a label at a version; moving production publishes it', 'the latest').examples(
    'prompts labels set Greeting staging 1',
    'prompts labels set Greeting production --by ada --reason "Passed the gate"',
  )
  promptCommand(labels, 'remove', 'remove a label; its history stays')
    .examples('prompts labels remove Greeting staging')
    .argument(...LABEL)
    .with(moveOptions)
    .onNamed(cli, withPrompt, async (app, id, label, how) =>
      showMove(cli, app, await app.prompts.labels.remove(id, label, given(how))),
    )
  promptCommand(labels, 'split', 'let several versions share the traffic of a label; the first is the control')
    .examples('prompts labels split Greeting production 0=90 1=10')
    .argument(...LABEL)
    .argument('<version=weight...>', 'versions with their share in per cent; all add up to 100', collectShares)
    .with(moveOptions)
    .option('--salt <text>', 'determines, with the key of a request, which version it gets')
    .onNamed(cli, withPrompt, async (app, id, label, shares, how) => {
      const chosen: SplitShare[] = []
      for (const { version, weight } of shares) {
        chosen.push({ version: (await versionMeant(app, id, String(version))) ?? version, weight })
      }
      await showMove(cli, app, await app.prompts.labels.split(id, label, chosen, given(how)))
    })
  const stopping = 'end a split at once: all traffic goes to its control, or to a version'
  move('stop', 'stopSplit', stopping, 'the control').examples('prompts labels stop Greeting production')
}

function moveOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option(...BY)
    .option('--reason <text>', 'why')
    .option('--if-move <n>', 'only if the label has been moved exactly this many times', wholeNumber(0))
}

async function versionMeant(
  app: PromptsApp,
  id: string,
  version: string | undefined,
): Promise<VersionChoice | undefined> {
  const reference = await app.prompts.resolve(id, version)
  return typeof reference === 'string' ? undefined : reference.version
}

async function showMove(cli: Cli, app: PromptsApp, state: LabelState): Promise<void> {
  const [label] = await asLabels(app.prompts, [state])
  print(cli, label, () => labelTable(label ? [label] : []))
  note(cli, `That was move ${state.move} of ${state.label}.`)
}

async function show(cli: Cli, app: PromptsApp, states: readonly LabelState[]): Promise<void> {
  const labels = await asLabels(app.prompts, states)
  print(cli, labels, () => labelTable(labels))
}

function labelTable(labels: Awaited<ReturnType<typeof asLabels>>): string {
  return table(labels, 'No moves.', {
    label: 'label',
    move: ({ move: count }) => count,
    versions: ({ targets }) =>
      targets.map(({ version, versionId, weight }) => shareText(version ?? versionId, weight)).join(', ') || 'removed',
    by: 'by',
    at: 'at',
    reason: 'reason',
  })
}

function shareText(version: number | string, weight: number): string {
  const name = typeof version === 'number' ? `v${version}` : version
  return weight === 100 ? name : `${name} ${weight} %`
}

function collectShares(text: string, previous: readonly SplitShare[] = []): SplitShare[] {
  const at = text.lastIndexOf('=')
  const weight = Number(text.slice(at + 1))
  if (at > 0 && text.slice(at + 1).trim() !== '' && !Number.isNaN(weight)) {
    return [...previous, { version: text.slice(0, at), weight }]
  }
  throw new UsageError(`"${text}" must be a version and its share, such as 1=10`)
}
