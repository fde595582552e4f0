import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { exampleMission } from '@minions/colony'
import { createMinions, loadConfig } from '@minions/host'
import { colonyPlugins } from '../../src/app/colony-app.js'
import { Minions } from './minions.js'

/** What the commands of the comparison refer to, where a name is not enough. */
export interface Sample {
  readonly minions: Minions
  /** A subagent that was interrupted, and its only execution. */
  readonly agent: string
  readonly execution: string
  /** A test of the prompt `P`. */
  readonly test: string
  /** A proposal of the mission that has ended. */
  readonly proposal: string
  /** An approval that waits for a decision. */
  readonly approval: string
  /** What another store with a prompt exports: all of it, and the prompt. */
  readonly bundle: string
  readonly document: string
  /** All records as text. */
  readonly everything: string
}

export const TENANT = exampleMission.envelope.tenant_id

/** Ids of a mission that has ended, one that was interrupted, and one that is new. */
export const MISSIONS = {
  ended: '00000000-0000-4000-8000-000000000001',
  begun: '00000000-0000-4000-8000-000000000002',
  fresh: '00000000-0000-4000-8000-000000000003',
}

/** The envelope of the example mission under another id. */
export const envelopeOf = (mission: keyof typeof MISSIONS) => ({
  ...exampleMission.envelope,
  mission_id: MISSIONS[mission],
})

/** A skill with its code, which stops at a checkpoint until it is resumed if it is told to. */
const plugin = `import { definePlugin, pluginRef } from ${JSON.stringify(createRequire(import.meta.url).resolve('@minions/core/plugin'))}
const walk = {
  name: 'walk', version: '1.0.0', tags: ['motion'], parameters_schema: { type: 'object' },
  async execute({ stop }, context) {
    const { state } = context
    context.log.info('walking')
    context.progress(0.5, 'half way')
    while (stop && state === undefined) await context.checkpoint({ step: 1 })
    return { walked: true }
  },
}
export default () =>
  definePlugin({
    ref: pluginRef()('acme-walk', 'walk'),
    version: '1.0.0',
    deps: { skills: pluginRef()('@minions/skills-runtime', 'skills') },
    setup({ skills }) {
      skills.registry.registerSkill(walk)
      return {}
    },
  })
`

/** A home folder that has something of everything that commands read and change. */
export async function sampleStore(): Promise<Sample> {
  const minions = new Minions()
  writeFileSync(minions.path('walk.mjs'), plugin)
  writeFileSync(minions.path('minions.config.json'), '{"storage":"sqlite:./minions.db","plugins":["./walk.mjs"]}')
  const run = operationsOn(minions)
  for (const id of ['note-1', 'note-2', 'note-3']) {
    await run('objects.create', { type: 'note', id, title: id, fields: { content: 'x' } })
  }
  await run('objects.delete', { id: 'note-3' })
  await run('relations.link', { id: 'relation-1', sourceId: 'note-1', type: 'parent_of', targetId: 'note-2' })
  await run('types.create', { slug: 'book', schema: [{ name: 'author', type: 'string' }] })
  await run('prompts.create', { title: 'P', content: 'Hello {{name}}!' })
  await run('prompts.addVersion', { prompt: 'P', content: 'Hi {{name}}', changelog: 'Shorter' })
  await run('prompts.publish', { prompt: 'P' })
  await run('prompts.splitTraffic', {
    prompt: 'P',
    label: 'canary',
    shares: [
      { version: 0, weight: 50 },
      { version: 1, weight: 50 },
    ],
  })
  await run('prompts.setVariable', { prompt: 'P', name: 'name' })
  const test = await run('prompts.addTest', { prompt: 'P', inputVariables: { name: 'Ada' } })
  await run('workspaces.add', { name: 'w', sample: true })
  await run('workspaces.addMessage', { workspace: 'w', session: 'monday', message: { role: 'user' } })
  await run('missions.run', { envelope: envelopeOf('ended') })
  const { items } = await run('proposals.list', {}, '--tenant', TENANT)
  const call = { kind: 'tool', name: 'external_search', arguments: { query: 'marina' } }
  const asked = await run('approvals.ask', { call, why: 'It costs money.' }, '--by', 'agent-7')
  return {
    minions,
    test: test.id,
    approval: asked.approval_id,
    proposal: items[0].proposal.proposal_id,
    ...(await interrupted(minions)),
    ...(await exported()),
    everything: (await minions.here(['export', '--all'])).stdout,
  }
}

function operationsOn(minions: Minions) {
  return (name: string, input: object, ...more: string[]) =>
    minions.json(['operations', 'run', name, '--input', JSON.stringify(input), '--yes', ...more])
}

async function exported(): Promise<Pick<Sample, 'bundle' | 'document'>> {
  const run = operationsOn(new Minions())
  await run('prompts.create', { title: 'Q', content: 'Bye {{name}}!' })
  const { bundle } = await run('bundles.export', {})
  return { bundle, document: JSON.stringify(await run('prompts.export', { prompt: 'Q', format: 'json' })) }
}

/** Begins a skill and the mission `begun`, and leaves both unfinished as a process does that is stopped. */
async function interrupted(minions: Minions): Promise<Pick<Sample, 'agent' | 'execution'>> {
  const { plugins } = await loadConfig(minions.home)
  const app = await createMinions({
    storage: `sqlite:${minions.path('minions.db')}`,
    plugins: await colonyPlugins({ configDir: minions.home, store: 'files' }),
    morePlugins: plugins,
  })
  const { agent_id: agent } = await app.skills.spawn({ name: 'scout' })
  const begun = new Promise((resolve) => app.skills.events.on('execution.checkpoint', resolve))
  const running = app.skills.run(agent, 'walk', { stop: true }).catch((error: Error) => error)
  await begun
  await app.colony.start(envelopeOf('begun'))
  const [execution] = await app.skills.executions({ agent_id: agent })
  await app.close()
  await running
  return { agent, execution: String(execution?.execution_id) }
}
