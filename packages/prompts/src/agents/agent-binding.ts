import { type By, coreError, type MinionsAccess, type Relation } from '@minions/core'
import { type JsonObject, setOwn } from '@minions/core/json'
import { agentType } from '@minions/core/types'
import { inTransaction, type PromptAccess } from '../access.js'
import { isTemplate, loadLivePrompt, type PromptTemplateMinion, wrongType } from '../chain/prompt-minion.js'
import { compileTemplate } from '../template/compiled-template.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { defaultOf } from '../variables/variable-value.js'
import { readyPrompt } from '../versions/ready-prompt.js'

export interface BindAgentOptions extends By {
  /** Values for the prompt's variables. Placeholders without a value are kept as written. */
  readonly variables?: JsonObject
}

/** A binding is a `depends_on` relation from the agent to the prompt with this in its metadata. */
interface BindingMetadata {
  readonly binds: 'systemPrompt'
  readonly variables: JsonObject
}

export async function bindAgent(
  access: PromptAccess,
  agentId: string,
  promptId: string,
  { variables = {}, ...by }: BindAgentOptions,
) {
  return inTransaction(access, async (tx) => {
    const { client } = tx
    await loadAgent(client, agentId)
    const prompt = await loadLivePrompt(tx, promptId)
    if (!isTemplate(prompt)) throw wrongType(prompt, [promptTemplateType])
    for (const binding of await bindingsOf(client, agentId, 'outgoing')) await client.unlink(binding.id, by)
    const metadata: BindingMetadata = { binds: 'systemPrompt', variables }
    await client.link({ sourceId: agentId, targetId: prompt.id, type: 'depends_on', metadata }, by)
    return client.update(agentId, { fields: { systemPrompt: await textFor(tx, prompt, variables) } }, by)
  })
}

export async function unbindAgent(client: MinionsAccess, agentId: string, by: By): Promise<boolean> {
  return client.transaction(async (tx) => {
    await loadAgent(tx, agentId)
    const bindings = await bindingsOf(tx, agentId, 'outgoing')
    for (const binding of bindings) await tx.unlink(binding.id, by)
    return bindings.length > 0
  })
}

export async function systemPromptOf(access: PromptAccess, agentId: string): Promise<string | undefined> {
  const { client } = access
  const agent = await loadAgent(client, agentId)
  const [binding] = await bindingsOf(client, agentId, 'outgoing')
  if (!binding) return agent.fields.systemPrompt as string | undefined
  const prompt = await loadLivePrompt(access, binding.targetId)
  return textFor(access, prompt as PromptTemplateMinion, variablesOf(binding))
}

/** Updates the agents bound to a prompt with its current text. */
export async function syncAgents(tx: PromptAccess, prompt: PromptTemplateMinion, by: By): Promise<void> {
  for (const binding of await bindingsOf(tx.client, prompt.id, 'incoming')) {
    const systemPrompt = await textFor(tx, prompt, variablesOf(binding))
    await tx.client.update(binding.sourceId, { fields: { systemPrompt } }, by)
  }
}

async function textFor(access: PromptAccess, prompt: PromptTemplateMinion, variables: JsonObject): Promise<string> {
  const values: Record<string, unknown> = {}
  const { version, declared } = await readyPrompt(access, prompt)
  for (const variable of declared) {
    const value = defaultOf(variable)
    if (value !== undefined) setOwn(values, variable.title, value)
  }
  for (const [name, value] of Object.entries(variables)) setOwn(values, name, value)
  return compileTemplate<string>(version.fields.content).render(values, { strict: false })
}

async function bindingsOf(client: MinionsAccess, id: string, direction: 'outgoing' | 'incoming'): Promise<Relation[]> {
  const relations = await client.relations(id, { direction, type: 'depends_on' })
  return relations.filter(({ metadata }) => (metadata as Partial<BindingMetadata> | null)?.binds === 'systemPrompt')
}

function variablesOf({ metadata }: Relation): JsonObject {
  return (metadata as BindingMetadata).variables ?? {}
}

async function loadAgent(client: MinionsAccess, id: string) {
  const agent = await client.get(id)
  if (!agent) throw coreError('NOT_FOUND', `There is no agent "${id}".`, { details: { id } })
  if (agent.minionTypeId !== agentType.id) throw wrongType(agent, [agentType])
  return agent
}
