import type { MissionEnvelope, MissionTask, RoleType } from '@minions/colony-contracts'
import { coreError, MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import type { PromptMinion, PromptsApi } from '@minions/prompts'
import type { WorkspaceApi } from '@minions/workspace'
import type { RenderedPrompt } from '../roles/role.js'

/** The prompts and the workspace that packages are rendered from. */
export interface PromptSettings {
  /** The prompt of each role, by id; a role without one uses a default, which is stored like any other prompt. */
  readonly prompts?: Readonly<Partial<Record<string, string>>>
  /** Id or name of the workspace whose context precedes the prompt. */
  readonly workspace?: string
}

/** The default prompt of a role. It can have versions like any prompt. */
const DEFAULT_CONTENT = [
  'You are the {{role}} of a mission.',
  'Goal: {{goal}}',
  'Your task: {{objective}}',
  '{{#if criteria}}You are done when:',
  '{{#each criteria}}- {{this}}',
  '{{/each}}{{/if}}Never write back to the outside world yourself; propose it.',
].join('\n')

/** The id of the default prompt of a role. */
export const defaultPromptId = guarded('defaultPromptId', (role: RoleType): string => {
  return `colony-prompt-${role.replaceAll('_', '-')}`
})

/** Renders the published version of the role's prompt for one task, preceded by the context of the workspace. */
export async function renderPackage(
  services: { readonly prompts: PromptsApi; readonly workspace: WorkspaceApi; readonly prompt: PromptSettings },
  envelope: MissionEnvelope,
  task: MissionTask,
  now: string,
): Promise<RenderedPrompt> {
  const { prompts, workspace } = services
  const role = task.role_type
  const id = services.prompt.prompts?.[role] ?? (await ensureDefault(prompts, role))
  const published = await prompts.published(id)
  const task_prompt = await prompts.render(published.id, {
    role: role.replaceAll('_', ' '),
    goal: envelope.normalized_goal,
    objective: task.objective,
    criteria: task.success_criteria,
    task_id: task.task_id,
    tools: task.allowed_tools,
  })
  const reference = services.prompt.workspace ?? workspaceOf(envelope)
  const context = reference === undefined ? '' : `${await contextOf(workspace, reference, now)}\n`
  const system_prompt = `${context}You work as ${role.replaceAll('_', ' ')} for ${envelope.actor_role ?? envelope.actor_id}.`
  return { template_id: id, template_version: `v${versionOf(published)}`, system_prompt, task_prompt }
}

async function contextOf(workspace: WorkspaceApi, reference: string, now: string): Promise<string> {
  const found = await workspace.resolve(reference)
  if (found !== undefined) return workspace.buildContext(found, { now })
  const message = `There is no workspace "${reference.slice(0, 80)}", whose context the prompts need; create it, or change the option.`
  throw new MinionsError('NOT_FOUND', message, { details: { workspace: reference } })
}

async function ensureDefault(prompts: PromptsApi, role: RoleType): Promise<string> {
  const id = defaultPromptId(role)
  try {
    await prompts.get(id)
  } catch (error) {
    if (!coreError.is(error, 'NOT_FOUND')) throw error
    // Another mission may create it at the same time, which is just as good.
    await prompts
      .create({ id, title: `Colony: ${role.replaceAll('_', ' ')}`, content: DEFAULT_CONTENT })
      .catch(() => prompts.get(id))
  }
  return id
}

function versionOf({ fields }: PromptMinion): number {
  const { versionNumber } = fields as { readonly versionNumber?: unknown }
  return typeof versionNumber === 'number' ? versionNumber : 0
}

function workspaceOf({ context_refs }: MissionEnvelope): string | undefined {
  const id = context_refs && Object.hasOwn(context_refs, 'workspace_id') ? context_refs.workspace_id : undefined
  return typeof id === 'string' ? id : undefined
}
