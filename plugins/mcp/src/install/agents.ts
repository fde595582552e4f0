import { homedir } from 'node:os'
import { join } from 'node:path'

/** The location of an agent's configuration, and the format of an entry. */
export interface Agent {
  readonly title: string
  /** Files of the configuration: of the user, and of a project where the agent has such. */
  readonly files: (environment: Environment) => { readonly user: string; readonly project?: string }
  /** Name of the object that holds the servers. */
  readonly key: string
  /** Adds what the agent needs in an entry besides command and arguments. */
  readonly extra?: Readonly<Record<string, string>>
}

/** What decides where files are. */
export interface Environment {
  readonly home: string
  readonly project: string
  readonly platform: NodeJS.Platform
  readonly appData?: string | undefined
}

/** The environment of this process. */
export function currentEnvironment(): Environment {
  return { home: homedir(), project: process.cwd(), platform: process.platform, appData: process.env.APPDATA }
}

/** Folder in which desktop programs keep their settings. */
function settings({ home, platform, appData }: Environment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return platform === 'win32' ? (appData ?? join(home, 'AppData', 'Roaming')) : join(home, '.config')
}

/** Agents that can be configured to use a store, by the name that the command takes. */
export const AGENTS = {
  'claude-code': {
    title: 'Claude Code',
    files: ({ home, project }) => ({ user: join(home, '.claude.json'), project: join(project, '.mcp.json') }),
    key: 'mcpServers',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    files: (environment) => ({ user: join(settings(environment), 'Claude', 'claude_desktop_config.json') }),
    key: 'mcpServers',
  },
  cursor: {
    title: 'Cursor',
    files: ({ home, project }) => ({
      user: join(home, '.cursor', 'mcp.json'),
      project: join(project, '.cursor', 'mcp.json'),
    }),
    key: 'mcpServers',
  },
  vscode: {
    title: 'Visual Studio Code',
    files: (environment) => ({
      user: join(settings(environment), 'Code', 'User', 'mcp.json'),
      project: join(environment.project, '.vscode', 'mcp.json'),
    }),
    key: 'servers',
    extra: { type: 'stdio' },
  },
  windsurf: {
    title: 'Windsurf',
    files: ({ home }) => ({ user: join(home, '.codeium', 'windsurf', 'mcp_config.json') }),
    key: 'mcpServers',
  },
  gemini: {
    title: 'Gemini CLI',
    files: ({ home, project }) => ({
      user: join(home, '.gemini', 'settings.json'),
      project: join(project, '.gemini', 'settings.json'),
    }),
    key: 'mcpServers',
  },
} as const satisfies Readonly<Record<string, Agent>>

export type AgentName = keyof typeof AGENTS
