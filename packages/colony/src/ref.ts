import { pluginRef } from '@minions/core/plugin'
import type { MissionRunner } from './runner/mission-runner.js'

/**
 * The mission runner of an app, as other plugins depend on it. A mission consists of many transactions, so it joins
 * none.
 */
export const colonyRef = pluginRef<MissionRunner>()('@minions/colony', 'colony')
