import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { prompts } from '@minions/prompts'
import { withApp } from '../../app/app.js'
import type { Cli } from '../../cli.js'

const plugins = [prompts(), exporters()] as const

export type PromptsApp = App<typeof plugins>

/** Runs `work` with an app that has prompts and exporters. */
export function withPrompts<T>(cli: Cli, work: (app: PromptsApp) => Promise<T>): Promise<T> {
  return withApp(cli, [prompts(), exporters()], (app) => work(app))
}
