/** A problem that did not stop the manager. Unreadable content is kept in the file `keptAs`. */
export interface WorkspaceProblem {
  readonly code: 'FILE_UNREADABLE' | 'WORKSPACE_UNREADABLE' | 'WORKSPACE_OVERWRITTEN'
  readonly message: string
  readonly path: string
  readonly workspaceId?: string
  readonly keptAs?: string
}
