import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { PageHead } from '../../parts/page-head.tsx'
import { tell } from '../../parts/toasts.tsx'
import { OperationRunner } from './operation-runner.tsx'

export const NewPromptPage = createPage(
  'New prompt',
  'Write {{name}} where a value belongs.',
  'prompts.create',
  ({ id }) => ({ to: '/prompts/$id', params: { id } }),
)

export const NewTypePage = createPage(
  'New type',
  'Its objects have the fields that you list here.',
  'types.create',
  ({ slug = '' }) => ({ to: '/types/$slug', params: { slug } }),
)

export const NewWorkspacePage = createPage(
  'New workspace',
  'Sample fills it with nodes, rules and state to try things with.',
  'workspaces.add',
  ({ id }) => ({ to: '/workspaces/$id', params: { id } }),
)

/** What the operations that create something give. */
interface Created {
  readonly id: string
  readonly slug?: string
}

/** The form of an operation that creates something, which is opened afterwards. */
function createPage(title: string, about: string, operation: string, linkTo: (created: Created) => NavigateOptions) {
  return function CreatePage() {
    const navigate = useNavigate()
    return (
      <>
        <PageHead title={title} about={about} />
        <OperationRunner
          name={operation}
          onDone={(result) => {
            tell('Created.')
            void navigate(linkTo(result as Created))
          }}
        />
      </>
    )
  }
}
