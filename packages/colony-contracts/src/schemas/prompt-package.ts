import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, OpenObject, RoleType, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const PromptPackageSchema = described(
  Type.Object(
    {
      ...rootMetadata('prompt_package'),
      task_id: Id,
      package_id: Id,
      role_type: RoleType,
      template_id: Id,
      // `v0` is the template itself, `v1` and up are its versions.
      template_version: Type.String({ pattern: '^v(?:0|[1-9][0-9]*)$', not: { pattern: '\\n' } }),
      examples_used: Type.Optional(Names),
      system_prompt: Text,
      task_prompt: Text,
      constraints: Type.Optional(OpenObject),
      tool_scope: Names,
      model_route: Name,
    },
    { title: 'Prompt package', description: 'The exact instructions for running one task.' },
  ),
  {
    task_id: 'The task of the mission it is for.',
    package_id: 'Identifies the package.',
    role_type: 'The role it instructs.',
    template_id: 'Id of the prompt it was created from.',
    template_version: 'Version of that prompt; v0 is the template itself.',
    examples_used: 'Examples included in it.',
    system_prompt: 'The system prompt for the role.',
    task_prompt: 'The instructions for the model.',
    constraints: 'Limits on the answer, by name.',
    tool_scope: 'The tools that may be used.',
    model_route: 'The model to use.',
  },
)

/** The exact instructions for running one task. */
export type PromptPackage = Static<typeof PromptPackageSchema>
