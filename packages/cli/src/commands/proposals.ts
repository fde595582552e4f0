import { approvals } from '@minions/approvals'
import { colonyContracts, PROPOSAL_STATUSES, type Proposals, type WritebackHandler } from '@minions/colony-contracts'
import { withApp } from '../app/app.js'
import { type TenantOption, tenantOf, tenantOption } from '../app/missions.js'
import type { Cli } from '../cli.js'
import { required } from '../input/confirm.js'
import { importFunction } from '../input/evaluation.js'
import { missionMeant, proposalMeant } from '../input/record-references.js'
import { firstOf } from '../output/first-of.js'
import { facts, print, printTable, sections, table } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  const group = program.command('proposals')
  command(group, 'list', 'list the changes that missions propose, with their status')
    .examples('proposals list --tenant acme --status open')
    .choice('--status <status>', PROPOSAL_STATUSES)
    .option('--limit <n>', 'maximum number of proposals to show (100)', wholeNumber(1))
    .on(cli, withProposals, async ({ scope, proposals }, options) => {
      const { status, limit = 100 } = options
      const rows = await firstOf(limit, (next) => proposals.list({ ...scope, ...given({ status }), ...next }))
      printTable(cli, rows, 'No proposals.', {
        proposal: ({ proposal }) => proposal.proposal_id,
        status: 'status',
        action: ({ proposal }) => proposal.action_type,
        target: ({ proposal }) => `${proposal.target_entity_type} ${proposal.target_entity_id}`,
        created: ({ proposal }) => proposal.created_at,
        mission: ({ proposal }) => proposal.mission_id,
      })
    })
  proposal(group, 'show', 'show a proposal, its decisions and its status')
    .examples('proposals show wb_001 --tenant acme')
    .on(cli, withProposals, async ({ scope, proposals }, reference) => {
      const id = await proposalMeant(proposals, scope, reference)
      const { proposal, decisions, application = null } = await proposals.get(id, scope)
      const status = application?.status ?? 'open'
      print(cli, { status, proposal, application, decisions }, () =>
        sections(
          facts({ status, ...proposal, result: application?.result, error: application?.error }),
          table(decisions, 'No decisions.', {
            decision: 'decision',
            by: 'producer',
            reason: 'reason',
            at: 'created_at',
          }),
        ),
      )
    })
  decide(group, cli, 'approve', 'allow a proposal to be applied')
  decide(group, cli, 'reject', 'reject a proposal permanently')
  proposal(group, 'apply', 'make the change of an approved proposal, once')
    .examples('proposals apply wb_001 --tenant acme --handler ./crm.mjs')
    .requiredOption(
      '--handler <module>',
      'its default export makes the change: (proposal, { idempotencyKey, attempt })',
    )
    .option('--resume', 'take over from a process on another host that is known to have ended')
    .action(async (reference, options) => {
      const handler = await importFunction<WritebackHandler>(cli, options.handler)
      await withProposals(
        cli,
        async ({ scope, proposals }) => {
          const id = await proposalMeant(proposals, scope, reference)
          const choice = { ...scope, ...given({ resume: options.resume }) }
          const application = await proposals.apply(id, handler, choice)
          print(cli, application, () => facts({ ...application }))
        },
        options,
      )
    })
}

function command(group: Command, name: string, description: string) {
  return addCommand(group, name, description).with(tenantOption).with(missionOption)
}

function missionOption<A extends unknown[], O>(builder: CommandBuilder<A, O>) {
  return builder.option('--mission <id>', 'of one mission: id, id prefix, or goal')
}

function proposal(group: Command, name: string, description: string) {
  return command(group, name, description).argument(
    '<proposal>',
    'id, or id prefix; if several missions have it, add --mission',
  )
}

function withProposals(
  cli: Cli,
  work: (scoped: {
    readonly scope: { readonly tenantId: string; readonly missionId?: string }
    readonly proposals: Proposals
  }) => Promise<void>,
  options: TenantOption & OptionsOf<typeof missionOption>,
): Promise<void> {
  const tenantId = tenantOf(cli, options)
  return withApp(cli, [approvals(), colonyContracts()], async ({ contracts: { store, proposals } }) => {
    const { mission } = options
    const missionId = mission === undefined ? undefined : await missionMeant(store.forTenant(tenantId), mission)
    // The scope of a tenant, and of a mission if it is named.
    return work({ scope: { tenantId, ...given({ missionId }) }, proposals })
  })
}

function decide(group: Command, cli: Cli, name: 'approve' | 'reject', description: string): void {
  proposal(group, name, `${description}, as a policy decision`)
    .examples(`proposals ${name} wb_001 --tenant acme --by ada --reason "Agreed with the client."`)
    .option('--by <who>', 'who decides; becomes the producer of the decision')
    .option('--reason <text>', 'why')
    .action(async (reference, options) => {
      const by = await required(cli, options.by, '--by <who>', `Who ${name}s it`)
      const reason = await required(cli, options.reason, '--reason <text>', `Why you ${name} it`)
      await withProposals(
        cli,
        async ({ scope, proposals }) => {
          const id = await proposalMeant(proposals, scope, reference)
          const application = await proposals[name](id, { by, reason, ...scope })
          print(cli, application, () => `Proposal ${id} is ${application.status}.`)
        },
        options,
      )
    })
}
