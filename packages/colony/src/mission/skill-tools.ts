import type { JsonObject } from '@minions/core/json'
import type { SkillRegistry, SubagentManager } from '@minions/skills-runtime'
import type { Tool } from '../roles/role.js'
import { ROLE_TAG, skillName } from './role-skills.js'

/** A skill of the registry as a tool: its own subagent runs it, so that the execution is recorded. */
export function skillTool(skills: SubagentManager, name: string): Tool | undefined {
  if (!isSkillTool(skills.registry, name)) return undefined
  return async (parameters, { signal, envelope, task }) => {
    const { actor_id: by, mission_id, tenant_id, sensitivity_class } = envelope
    const { task_id, role_type } = task
    const metadata = { by, tenant_id, mission_id, task_id, role_type, sensitivity_class }
    const { agent_id } = await skills.spawn({ metadata })
    return (await skills.run(agent_id, name, parameters, { signal, cleared: true })) as JsonObject
  }
}

/** True if a skill of this name can be a tool. The skills of roles cannot: only missions run roles. */
export function isSkillTool(registry: SkillRegistry, name: string): boolean {
  return registry.hasSkill(name) && !isRoleSkill(registry, name)
}

/** Skills of this package are recognised by name and tag. */
function isRoleSkill(registry: SkillRegistry, name: string): boolean {
  return name.startsWith(skillName('')) && registry.getSkill(name).tags?.includes(ROLE_TAG) === true
}

/** Skills of the Agent Skills standard whose instructions a task has read. */
export class ActiveSkills {
  readonly #registry: SkillRegistry
  readonly #names = new Set<string>()

  constructor(registry: SkillRegistry) {
    this.#registry = registry
  }

  /** Records the use of a tool, which may be such a skill. */
  use(tool: string): void {
    if (this.#sourceOf(tool) !== undefined) this.#names.add(tool)
  }

  /** Tools that these skills allow, including the skills and their scripts; undefined if no skill lists any. */
  tools(): readonly string[] | undefined {
    const active = [...this.#names].flatMap((name) => this.#sourceOf(name) ?? [])
    if (active.every(({ allowed_tools }) => allowed_tools === undefined)) return undefined
    const digests = new Set(active.map(({ digest }) => digest))
    const own = this.#registry.listSkills().filter(({ agent_skill }) => agent_skill && digests.has(agent_skill.digest))
    return [...active.flatMap(({ allowed_tools = [] }) => allowed_tools), ...own.map(({ name }) => name)]
  }

  #sourceOf(name: string) {
    return this.#registry.hasSkill(name) ? this.#registry.getSkill(name).agent_skill : undefined
  }
}
