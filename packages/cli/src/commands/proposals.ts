import { approvals } from '@minions/approvals'
import {
  colonyContracts,
  type ListedProposal,
  PROPOSAL_STATUSES,
  type ProposalStatus,
  type Proposals,
  type WritebackHandler,
} from '@minions/colony-contracts'
import { type Command, Option } from 'commander'
import { withApp } from '../app/app.js'
import { type TenantOption, tenantOf, withTenant } from '../app/missions.js'
import type { Cli } from '../cli.js'
import { required } from '../input/confirm.js'
import { importFunction } from '../input/evaluation.js'
import { missionMeant, proposalMeant } from '../input/record-references.js'
import { facts, print, table } from '../output/output.js'
import { examples, given, wholeNumber } from '../program/options.js'

interface MissionOption extends TenantOption {
  readonly mission?: string
}

interface ListOptions extends MissionOption {
  readonly status?: ProposalStatus
  readonly limit?: number
}

interface DecideOptions extends MissionOption {
  readonly by?: string
  readonly reason?: string
}

interface ApplyOptions extends MissionOption {
  readonly handler: string
  readonly resume?: boolean
}

export function register(program: Command, cli: Cli): void {
  const group = program.command('proposals')
  const command = (name: string, description: string) =>
    withTenant(group.command(name).description(description)).option(
      '--mission <id>',
      'of one mission: id, id prefix, or goal',
    )
  const proposal = (name: string, description: string) =>
    command(name, description).argument('<proposal>', 'id, or id prefix; if several missions have it, add --mission')
  examples(
    command('list', 'list the changes that missions propose, with their status')
      .addOption(new Option('--status <status>').choices(PROPOSAL_STATUSES))
      .option('--limit <n>', 'maximum number of proposals to show (100)', wholeNumber(1))
      .action((options: ListOptions) => list(cli, options)),
    'proposals list --tenant acme --status open',
  )
  examples(
    proposal('show', 'show a proposal, its decisions and its status').action((id: string, options: MissionOption) =>
      show(cli, id, options),
    ),
    'proposals show wb_001 --tenant acme',
  )
  for (const [name, description] of [
    ['approve', 'allow a proposal to be applied'],
    ['reject', 'reject a proposal permanently'],
  ] as const) {
    examples(
      proposal(name, `${description}, as a policy decision`)
        .option('--by <who>', 'who decides; becomes the producer of the decision')
        .option('--reason <text>', 'why')
        .action((id: string, options: DecideOptions) => decide(cli, id, name, options)),
      `proposals ${name} wb_001 --tenant acme --by ada --reason "Agreed with the client."`,
    )
  }
  examples(
    proposal('apply', 'make the change of an approved proposal, once')
      .requiredOption(
        '--handler <module>',
        'its default export makes the change: (proposal, { idempotencyKey, attempt })',
      )
      .option('--resume', 'take over from a process on another host that is known to have ended')
      .action((id: string, options: ApplyOptions) => apply(cli, id, options)),
    'proposals apply wb_001 --tenant acme --handler ./crm.mjs',
  )
}

function withProposals<T>(
  cli: Cli,
  options: MissionOption,
  work: (place: {
    readonly scope: { readonly tenantId: string; readonly missionId?: string }
    readonly proposals: Proposals
  }) => Promise<T>,
): Promise<T> {
  const tenantId = tenantOf(cli, options)
  return withApp(cli, [approvals(), colonyContracts()], async ({ contracts: { store, proposals } }) => {
    const { mission } = options
    const missionId = mission === undefined ? undefined : await missionMeant(store.forTenant(tenantId), mission)
    // The scope of a tenant, and of a mission if it is named.
    return work({ scope: { tenantId, ...given({ missionId }) }, proposals })
  })
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  await withProposals(cli, options, async ({ scope, proposals }) => {
    const { status, limit = 100 } = options
    const rows: ListedProposal[] = []
    let cursor: string | undefined
    do {
      const page = await proposals.list({ ...scope, ...given({ status, cursor }) })
      rows.push(...page.items.slice(0, limit - rows.length))
      cursor = page.nextCursor
    } while (cursor !== undefined && rows.length < limit)
    print(cli, rows, () =>
      table(
        rows,
        {
          proposal: ({ proposal }) => proposal.proposal_id,
          status: (row) => row.status,
          action: ({ proposal }) => proposal.action_type,
          target: ({ proposal }) => `${proposal.target_entity_type} ${proposal.target_entity_id}`,
          created: ({ proposal }) => proposal.created_at,
          mission: ({ proposal }) => proposal.mission_id,
        },
        'No proposals.',
      ),
    )
  })
}

async function show(cli: Cli, reference: string, options: MissionOption): Promise<void> {
  await withProposals(cli, options, async ({ scope, proposals }) => {
    const id = await proposalMeant(proposals, scope, reference)
    const { proposal, decisions, application = null } = await proposals.get(id, scope)
    const status = application?.status ?? 'open'
    print(cli, { status, proposal, application, decisions }, () =>
      [
        facts({ status, ...proposal, result: application?.result, error: application?.error }),
        '',
        table(
          decisions,
          {
            decision: (each) => each.decision,
            by: (each) => each.producer,
            reason: (each) => each.reason,
            at: (each) => each.created_at,
          },
          'No decisions.',
        ),
      ].join('\n'),
    )
  })
}

async function decide(cli: Cli, reference: string, name: 'approve' | 'reject', options: DecideOptions): Promise<void> {
  const by = await required(cli, options.by, '--by <who>', `Who ${name}s it`)
  const reason = await required(cli, options.reason, '--reason <text>', `Why you ${name} it`)
  await withProposals(cli, options, async ({ scope, proposals }) => {
    const id = await proposalMeant(proposals, scope, reference)
    const application = await proposals[name](id, { by, reason, ...scope })
    print(cli, application, () => `Proposal ${id} is ${application.status}.`)
  })
}

async function apply(cli: Cli, reference: string, options: ApplyOptions): Promise<void> {
  const handler = await importFunction<WritebackHandler>(cli, options.handler)
  await withProposals(cli, options, async ({ scope, proposals }) => {
    const id = await proposalMeant(proposals, scope, reference)
    const choice = { ...scope, ...given({ resume: options.resume }) }
    const application = await proposals.apply(id, handler, choice)
    print(cli, application, () => facts({ ...application }))
  })
}
