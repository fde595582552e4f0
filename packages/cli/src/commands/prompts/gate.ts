import { everyPage, isMinionsError } from '@minions/core'
import { GATE_STATUSES, type GateOptions, type GateReport, type GateStatus } from '@minions/prompts'
import { gateAnnotations, gateHtml, gateJunit, gateMarkdown } from '@minions/prompts/reports'
import type { Cli } from '../../cli.js'
import { evaluationOptions } from '../../input/evaluation.js'
import { note, print, sections, table, write } from '../../output/output.js'
import { Progress } from '../../output/progress.js'
import { writeWhole } from '../../output/write-file.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../../program/command.js'
import { given, wholeNumber } from '../../program/options.js'
import { cachedJudges } from './answer-files.js'
import { type PromptsApp, withPrompts } from './prompts-app.js'

/** Statuses by precedence: several prompts have the first that any of them has. */
const WORST: readonly GateStatus[] = ['regressed', 'incomparable', 'inconclusive', 'passed']

const KEPT = 'the answers so far are kept; run the same command again to continue'

export function registerGate(prompts: Command, cli: Cli): void {
  addCommand(
    prompts,
    'gate',
    'compare versions with a baseline; exits with 0 passed, 1 regressed, 2 inconclusive, 3 not comparable',
  )
    .examples(
      'prompts gate --baseline production',
      'prompts gate Greeting --answer ./ask-model.mjs --repeat 2 --html report.html --junit report.xml',
    )
    .argument('[prompt]', 'name, title, id, or beginning of an id (default: all prompts with tests)')
    .with(gateOptions)
    .action(async (prompt, options) => {
      try {
        const reports = await cli.hinting(KEPT, () => runGates(cli, prompt, options))
        await writeReports(cli, reports, options)
        const [only] = prompt === undefined ? [] : reports
        print(cli, only ?? reports, () => reports.map(reportText).join('\n\n') || 'No prompt has tests.')
        if (!cli.options.json && (options.annotations || cli.env.GITHUB_ACTIONS === 'true'))
          write(cli, gateAnnotations(reports))
        cli.exitCode =
          GATE_STATUSES[WORST.find((status) => reports.some((one) => one.status === status)) ?? 'incomparable']
      } catch (error) {
        // The exit codes of a gate are a verdict, which an error is not.
        if (!isMinionsError(error) || cli.signal.aborted) throw error
        note(cli, `minions: ${error.code}: ${error.message}`)
        cli.exitCode = GATE_STATUSES.incomparable
      }
    })
}

function gateOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .with(evaluationOptions)
    .option('--baseline <version>', 'the baseline: a label or a version', undefined, 'production')
    .option('--candidate <version>', 'the candidate: a label or a version', undefined, 'latest')
    .option('--margin <points>', 'maximum number of points by which it may be worse (5)', wholeNumber(0))
    .option('--repeat <n>', 'how often each test is run on each version (1)', wholeNumber(1))
    .option('--concurrency <n>', 'tests that run at the same time (4)', wholeNumber(1))
    .option('--seed <n>', 'seed of the random numbers, to repeat a result', wholeNumber(0))
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--markdown <file>', 'write the report as Markdown')
    .option('--html <file>', 'write the report as one page, outputs side by side')
    .option('--annotations', 'print GitHub annotations; the default in its workflows')
    .option('--no-cache', 'ask models and judges again for what they answered before')
}

type GateCommandOptions = OptionsOf<typeof gateOptions>

async function runGates(cli: Cli, prompt: string | undefined, options: GateCommandOptions): Promise<GateReport[]> {
  const { baseline, candidate, margin, repeat, concurrency, seed } = options
  const judges = await cachedJudges(cli, options)
  const reports: GateReport[] = []
  await withPrompts(cli, async (app) => {
    const progress = new Progress(cli)
    for (const id of prompt === undefined ? await tested(app) : [await app.prompts.resolve(prompt)]) {
      const how: GateOptions = {
        ...given({ margin, repeat, concurrency, seed, ...judges }),
        baseline,
        candidate,
        signal: cli.signal,
        onProgress: ({ done, total, test }) => progress.update(`${done} of ${total}: ${test.title}`),
      }
      reports.push(await app.prompts.gate(id, how))
    }
    if (reports.length > 0) progress.done(`${reports.length} of ${reports.length} prompts compared.`)
  })
  return reports
}

async function tested(app: PromptsApp): Promise<string[]> {
  const ids: string[] = []
  for (const { id } of await everyPage((next) => app.prompts.list(next))) {
    if ((await app.prompts.tests.list(id)).length > 0) ids.push(id)
  }
  return ids
}

async function writeReports(cli: Cli, reports: readonly GateReport[], options: GateCommandOptions): Promise<void> {
  const { junit, markdown, html } = options
  if (junit !== undefined) await writeWhole(cli, junit, gateJunit(reports))
  if (markdown !== undefined) await writeWhole(cli, markdown, gateMarkdown(reports))
  if (html !== undefined) await writeWhole(cli, html, gateHtml(reports))
}

function reportText({ prompt, status, reason, dimensions, cases }: GateReport): string {
  const worse = cases.filter(({ change }) => change === 'worse' || change === 'failed')
  return sections(
    `${prompt.name ?? prompt.title}: ${status}. ${reason}`,
    table(dimensions, '', {
      dimension: 'dimension',
      tests: 'n',
      baseline: (row) => Number(row.meanBaseline.toFixed(1)),
      candidate: (row) => Number(row.meanCandidate.toFixed(1)),
      p: (row) => Number(row.adjustedPValue.toFixed(4)),
      verdict: 'verdict',
    }),
    table(worse, '', {
      test: 'title',
      change: 'change',
      before: (row) => row.baseline.error ?? row.baseline.output,
      now: (row) => row.candidate.error ?? row.candidate.output,
    }),
  )
}
