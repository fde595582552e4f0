/**
 * A problem that did not stop the manager. Unreadable content is kept in the file `keptAs`. Not an `Issue`: it says what
 * became of a file, not which rule a value breaks.
 */
export interface WorkspaceProblem {
  readonly code: 'FILE_UNREADABLE' | 'WORKSPACE_UNREADABLE' | 'WORKSPACE_OVERWRITTEN'
  readonly message: string
  readonly path: string
  readonly workspaceId?: string
  readonly keptAs?: string
}
