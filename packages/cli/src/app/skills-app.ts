import { resolve } from 'node:path'
import type { skills } from '@minions/skills-runtime'
import type { Cli } from '../cli.js'
import { note } from '../output/output.js'
import { collect } from '../program/options.js'
import { withApp } from './app.js'

export type SkillsApi = Awaited<ReturnType<Exclude<ReturnType<typeof skills>['setup'], undefined>>>

/** Folders to load skills with code from. */
export interface FromOptions {
  readonly from?: string[]
}

export const FROM = [
  '--from <folder>',
  'load skills with their code from a folder first; may be repeated',
  collect,
] as const

export const STARTED_AFTER = [
  '--started-after <time>',
  'started then or later: 2026-01-31 or 2026-01-31T09:30:00Z',
] as const
export const STARTED_BEFORE = ['--started-before <time>', 'started before then'] as const

/** Runs `work` with the runtime on the store. Skills that cannot be loaded are reported and do not stop it. */
export async function withSkills(
  cli: Cli,
  work: (api: SkillsApi) => Promise<void>,
  { from = [] }: FromOptions & object = {},
): Promise<void> {
  const folders = from.map((folder) => resolve(cli.cwd, folder))
  const { skills } = await import('@minions/skills-runtime')
  return withApp(cli, [skills({ load: folders, discover: [cli.cwd] })], async ({ skills: api }) => {
    for (const { file, code, message } of api.problems) note(cli, `${file}: ${code}: ${message}`)
    return work(api)
  })
}
