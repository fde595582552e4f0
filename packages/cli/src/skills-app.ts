import { resolve } from 'node:path'
import { skills } from '@minions/skills-runtime'
import { withApp } from './app.js'
import type { Cli } from './cli.js'
import { collect } from './options.js'
import { note } from './output.js'

export interface FromOptions {
  readonly from?: string[]
}

export const FROM = [
  '--from <folder>',
  'load skills with their code from a folder first; may be repeated',
  collect,
] as const

export type SkillsApi = Awaited<ReturnType<Exclude<ReturnType<typeof skills>['setup'], undefined>>>

/** Runs `work` with the runtime on the store. What cannot be loaded from a folder is said and does not stop it. */
export function withSkills<T>(cli: Cli, { from = [] }: FromOptions, work: (api: SkillsApi) => Promise<T>): Promise<T> {
  const folders = from.map((folder) => resolve(cli.cwd, folder))
  return withApp(cli, [skills({ load: folders })], async ({ skills: api }) => {
    for (const { file, code, message } of api.problems) note(cli, `${file}: ${code}: ${message}`)
    return work(api)
  })
}
