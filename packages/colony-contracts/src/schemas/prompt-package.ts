import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, OpenObject, RoleType, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const PromptPackageSchema = Type.Object(
  {
    ...rootMetadata('prompt_package'),
    task_id: about(Id, 'The task of the mission it is for.'),
    package_id: about(Id, 'Identifies the package.'),
    role_type: about(RoleType, 'The role it instructs.'),
    template_id: about(Id, 'Id of the prompt it was created from.'),
    // `v0` is the template itself, `v1` and up are its versions.
    template_version: about(
      Type.String({ pattern: '^v(?:0|[1-9][0-9]*)$', not: { pattern: '\\n' } }),
      'Version of that prompt; v0 is the template itself.',
    ),
    examples_used: about(Type.Optional(Names), 'Examples included in it.'),
    system_prompt: about(Text, 'The system prompt for the role.'),
    task_prompt: about(Text, 'The instructions for the model.'),
    constraints: about(Type.Optional(OpenObject), 'Limits on the answer, by name.'),
    tool_scope: about(Names, 'The tools that may be used.'),
    model_route: about(Name, 'The model to use.'),
  },
  { title: 'Prompt package', description: 'The exact instructions for running one task.' },
)

/** The exact instructions for running one task. */
export type PromptPackage = Static<typeof PromptPackageSchema>
