import type { JsonObject } from '@minions/core/json'
import { property } from '@minions/core/operations'
import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import type { ChainParams } from '../runtime/manager/plan-run.js'
import { composeSkill } from '../skills/composition/compose-skill.js'
import type { ParallelSteps, SkillStep } from '../skills/composition/step.js'
import { skillRecord } from '../skills/definition/complete-skill.js'
import { AnySkillSchema, SkillSchema } from '../skills/definition/skill-schema.js'
import { exampleRun, exampleSkills } from './example-skills.js'
import { AgentName, author, operation, SkillNameInput, VersionInput } from './inputs.js'
import { reportProgress } from './report-progress.js'

export const list = operation({
  name: 'skills.list',
  summary: 'List the highest version of each skill',
  access: 'read',
  input: {
    tags: Type.Optional(property.list(Type.String(), 'Tags that a skill must all have.', 'motion')),
  },
  output: Type.Array(AnySkillSchema),
  examples: [{ title: 'Skills that move something', given: [exampleSkills], input: { tags: ['motion'] } }],
  run: ({ tags }, { skills }) => skills.registry.listSkills(tags).map(skillRecord),
})

export const get = operation({
  name: 'skills.get',
  summary: 'Get a skill by its name',
  access: 'read',
  input: { skill: SkillNameInput, version: VersionInput },
  output: AnySkillSchema,
  examples: [{ title: 'The highest version', given: [exampleSkills], input: { skill: 'patrol' } }],
  run: ({ skill, version }, { skills }) => skillRecord(skills.registry.getSkill(skill, version)),
})

export const dependencies = operation({
  name: 'skills.deps',
  summary: 'List the dependencies of a skill in execution order, with the skill itself last',
  access: 'read',
  input: { skill: SkillNameInput },
  output: Type.Array(Type.String()),
  examples: [{ title: 'Everything that a patrol needs', given: [exampleSkills], input: { skill: 'patrol' } }],
  run: ({ skill }, { skills }) => skills.registry.resolveDependencies(skill),
})

const { created_at: _created, updated_at: _updated, agent_skill: _source, ...attributes } = SkillSchema.properties

const WrittenSkill = strictObject({
  ...attributes,
  steps: Type.Optional(
    Type.Immutable(
      Type.Array(Type.Unsafe<SkillStep | ParallelSteps>({ type: 'object' }), {
        description: 'The skills that it is composed of, one after another, or concurrently under `parallel`.',
      }),
    ),
  ),
})

export const register = operation({
  name: 'skills.register',
  summary: 'Register skills that are written as data, all or none',
  description:
    'A skill with `steps` can be run at once. Any other is kept as a record until a module provides its code. Records are stored; steps last as long as the process.',
  access: 'admin',
  input: {
    skills: Type.Immutable(
      Type.Array(WrittenSkill, {
        minItems: 1,
        description: 'The skills, in any order.',
        examples: [exampleSkills[1].skills],
      }),
    ),
  },
  output: Type.Array(AnySkillSchema),
  examples: [{ title: 'A skill, and another that is composed of it', input: exampleSkills[1] }],
  async run(input, { skills }) {
    const registered = skills.registry.registerAll(input.skills.map(toSkill))
    await skills.flush()
    return registered.map(skillRecord)
  },
})

function toSkill({ steps, ...record }: Static<typeof WrittenSkill>) {
  return steps === undefined ? record : composeSkill({ ...record, steps })
}

export const run = operation({
  name: 'skills.run',
  summary: 'Run a skill to its end in a new subagent',
  description: 'Cancelling the call cancels the subagent.',
  access: 'write',
  input: {
    skill: SkillNameInput,
    params: Type.Optional(
      property.record(
        'Parameters that match the schema of the skill; with `chain`, by name of skill.',
        exampleRun[1].params,
      ),
    ),
    version: VersionInput,
    name: AgentName,
    chain: property.flag('Run the dependencies of the skill first.'),
  },
  output: Type.Object({
    agent_id: Type.String({ description: 'Id of the subagent.' }),
    result: Type.Unsafe<JsonObject>({
      type: 'object',
      description: 'Result of the skill; with `chain`, results keyed by skill name.',
    }),
  }),
  examples: [{ title: 'A skill that is composed of others', given: [exampleSkills], input: exampleRun[1] }],
  async run({ skill, params = {}, version, name, chain = false }, { skills }, context) {
    const { signal, progress } = context
    const { agent_id } = await skills.spawn({ ...(name !== undefined && { name }), metadata: author(context) })
    const stopReporting = reportProgress(skills, agent_id, progress)
    const options = { signal, ...(version !== undefined && { version }) }
    try {
      const result = chain
        ? await skills.runChain(agent_id, skill, params as ChainParams, options)
        : await skills.run(agent_id, skill, params, options)
      return { agent_id, result }
    } catch (error) {
      // A subagent whose skill could not start is never used again.
      if ((await skills.get(agent_id)).state === 'idle') await skills.cancel(agent_id)
      throw error
    } finally {
      stopReporting()
    }
  },
})
