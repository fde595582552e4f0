import { pluginRef } from '@minions/core/plugin'
import type { MissionRunner } from './runner/mission-runner.js'

/** The mission runner of an app, as a dependency of other plugins. A mission is many transactions, so it joins none. */
export const colonyRef = pluginRef<MissionRunner>()('@minions/colony', 'colony')
