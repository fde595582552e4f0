import { resolve } from 'node:path'
import { skills } from '@minions/skills-runtime'
import type { Cli } from '../cli.js'
import { note } from '../output/output.js'
import { collect } from '../program/options.js'
import { withApp } from './app.js'

/** The runtime as commands use it. */
export type SkillsApi = Awaited<ReturnType<Exclude<ReturnType<typeof skills>['setup'], undefined>>>

/** Where skills with their code come from. */
export interface FromOptions {
  readonly from?: string[]
}

export const FROM = [
  '--from <folder>',
  'load skills with their code from a folder first; may be repeated',
  collect,
] as const

/** When subagents or executions began. */
export interface StartedOptions {
  readonly startedAfter?: string
  readonly startedBefore?: string
}

export const STARTED_AFTER = [
  '--started-after <time>',
  'began then or later: 2026-01-31 or 2026-01-31T09:30:00Z',
] as const
export const STARTED_BEFORE = ['--started-before <time>', 'began before that'] as const

/** Runs `work` with the runtime on the store. What cannot be loaded from a folder is said and does not stop it. */
export function withSkills<T>(cli: Cli, { from = [] }: FromOptions, work: (api: SkillsApi) => Promise<T>): Promise<T> {
  const folders = from.map((folder) => resolve(cli.cwd, folder))
  return withApp(cli, [skills({ load: folders, discover: [cli.cwd] })], async ({ skills: api }) => {
    for (const { file, code, message } of api.problems) note(cli, `${file}: ${code}: ${message}`)
    return work(api)
  })
}
