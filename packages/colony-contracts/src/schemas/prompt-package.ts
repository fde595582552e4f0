import { type Static, Type } from 'typebox'
import { Id, Name, Names, OpenObject, TaskRoleType, Text } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const PromptPackageSchema = Type.Object(
  {
    ...rootMetadata('prompt_package'),
    task_id: Id,
    package_id: Id,
    role_type: TaskRoleType,
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
  { title: 'Prompt package', description: 'The exact instructions one task is run with.' },
)

/** The exact instructions one task is run with. */
export type PromptPackage = Static<typeof PromptPackageSchema>
