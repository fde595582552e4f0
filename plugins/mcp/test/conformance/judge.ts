import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Folder in which the official suite and a Node that runs it were installed. */
const folder = process.env.MINIONS_MCP_PEERS ?? ''

const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

const node = [`node-${process.platform}-${process.arch}/bin/node`, 'node/bin/node']
  .map((path) => join(folder, 'node_modules', path))
  .find(existsSync)

export const hasJudge = folder !== '' && existsSync(suite) && node !== undefined

/** Why the tests are skipped, and what to do about it. */
export const needs = 'MCP conformance suite: npm run conformance'

/** Scenarios that an implementation of a revision must pass, as the suite lists them. */
export function requiredOf(part: 'client' | 'server', revision: string): readonly string[] {
  if (!hasJudge) return []
  const text = readFileSync(join(suite, '../../requirements', `${revision}.yaml`), 'utf8')
  const section = new RegExp(`^${part}:\\n((?:(?: .*|#.*)?\\n)*)`, 'm').exec(text)?.[1] ?? ''
  return [...section.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name)
}

/** Scenarios of extensions, all that the suite has. */
export function extensionsOf(part: 'client' | 'server'): readonly string[] {
  if (!hasJudge) return []
  const { stdout } = spawnSync(node ?? '', [suite, 'list'], { encoding: 'utf8' })
  const section = new RegExp(`^${part} scenarios.*\\n((?: +- .*\\n)*)`, 'im').exec(stdout)?.[1] ?? ''
  return [...section.matchAll(/^ +- (\S+) \[extension\]$/gm)].map(([, name = '']) => name)
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** Checks of the official suite that failed, by scenario, and how many passed. */
export interface Verdict {
  readonly passed: number
  readonly failed: readonly string[]
}

/** Runs the official suite and reads what it found. */
export async function judge(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Verdict> {
  const results = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  try {
    const child = spawn(node ?? '', [suite, ...args, '--output-dir', results], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await new Promise((resolve) => child.once('close', resolve))
    // Names of scenarios may have slashes, and so the folders of their results are at different depths.
    const files = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('checks.json'),
    )
    const checks = files.flatMap((name) =>
      (JSON.parse(readFileSync(join(results, name), 'utf8')) as Check[]).map((check) => ({
        ...check,
        scenario: dirname(name)
          .replace(/^server-/, '')
          .replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
      })),
    )
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    return {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: [...new Set(failed.map(({ scenario, id, errorMessage }) => `${scenario}:${id} ${errorMessage ?? ''}`))],
    }
  } finally {
    rmSync(results, { recursive: true, force: true })
  }
}
