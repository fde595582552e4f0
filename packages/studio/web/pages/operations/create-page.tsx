import { useNavigate } from '@tanstack/react-router'
import { PageHead } from '../../parts/page-head.tsx'
import { tell } from '../../parts/toasts.tsx'
import { OperationRunner } from './operation-runner.tsx'

export function NewPromptPage() {
  const navigate = useNavigate()
  return (
    <CreatePage
      title="New prompt"
      about="Write {{name}} where a value belongs."
      operation="prompts.create"
      onCreated={({ id }) => navigate({ to: '/prompts/$id', params: { id } })}
    />
  )
}

export function NewTypePage() {
  const navigate = useNavigate()
  return (
    <CreatePage
      title="New type"
      about="Its objects have the fields that you list here."
      operation="types.create"
      onCreated={({ slug = '' }) => navigate({ to: '/types/$slug', params: { slug } })}
    />
  )
}

export function NewWorkspacePage() {
  const navigate = useNavigate()
  return (
    <CreatePage
      title="New workspace"
      about="Sample fills it with nodes, rules and state to try things with."
      operation="workspaces.add"
      onCreated={({ id }) => navigate({ to: '/workspaces/$id', params: { id } })}
    />
  )
}

/** What the operations that create something give. */
interface Created {
  readonly id: string
  readonly slug?: string
}

interface CreatePageProps {
  readonly title: string
  readonly about: string
  readonly operation: string
  readonly onCreated: (created: Created) => void
}

/** The form of an operation that creates something, which is opened afterwards. */
function CreatePage({ title, about, operation, onCreated }: CreatePageProps) {
  return (
    <>
      <PageHead title={title} about={about} />
      <OperationRunner
        name={operation}
        onDone={(result) => {
          tell('Created.')
          onCreated(result as Created)
        }}
      />
    </>
  )
}
