/** The parts of a workspace that pages show. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly root_path: string | null
  readonly nodes: Readonly<Record<string, WorkspaceNode>>
  readonly rules: Readonly<Record<string, unknown>>
  readonly state: Readonly<Record<string, unknown>>
  readonly updated_at: string
}

interface WorkspaceNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly connections: readonly string[]
}
