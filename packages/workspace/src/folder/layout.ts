import { join } from 'node:path'
import { guardMethods } from '@minions/core/plugin'
import { resolvePath } from '../files/paths.js'

/** The initial prompt files of every folder, in reading order. */
export const BOOTSTRAP_PROMPT_FILES = ['AGENTS.md', 'USER.md', 'TOOLS.md', 'IDENTITY.md'] as const

/** Every path of a workspace's folder. Nothing is read or created. */
export class WorkspaceLayout {
  readonly root: string
  readonly promptDir: string
  readonly memoryDir: string
  readonly skillsDir: string
  readonly sessionsDir: string
  readonly dataDir: string

  private constructor(root: string) {
    this.root = root
    this.promptDir = join(root, 'prompt')
    this.memoryDir = join(root, 'memory')
    this.skillsDir = join(root, 'skills')
    this.sessionsDir = join(root, 'sessions')
    this.dataDir = join(root, 'data')
  }

  /** `~` at the beginning is the home directory; relative paths are made absolute. */
  static fromRoot(root: string): WorkspaceLayout {
    return new WorkspaceLayout(resolvePath(root))
  }

  get memoryFile(): string {
    return join(this.memoryDir, 'MEMORY.md')
  }

  get historyFile(): string {
    return join(this.memoryDir, 'HISTORY.md')
  }
}

guardMethods(WorkspaceLayout)
