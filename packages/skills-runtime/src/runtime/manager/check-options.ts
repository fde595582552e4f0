import { guarded, takeOptions } from '@minions/core/plugin'
import { issueAt } from '@minions/core/schema'
import { checkObject, checkParts } from '../../arguments.js'
import { assertValid, recordValidator } from '../../validation.js'
import { SkillsSettingsSchema, type SubagentManagerOptions } from './options.js'

const WHAT = 'The manager'
const SETTINGS = Object.keys(SkillsSettingsSchema.properties)

const validateSettings = recordValidator(SkillsSettingsSchema)

export const checkOptions = guarded(WHAT, (given: SubagentManagerOptions): SubagentManagerOptions => {
  checkObject(WHAT, given)
  const options = takeOptions(WHAT, given)
  checkParts(WHAT, options, {
    clock: 'function',
    ids: 'function',
    random: 'function',
    timers: { method: 'set' },
    log: { method: 'child' },
    registry: { method: 'getSkill' },
    bus: { method: 'publish' },
    transport: { method: 'connect' },
    storage: { method: 'transaction' },
  })
  checkParts(WHAT, options.runners ?? {}, { inline: { method: 'run' }, worker: { method: 'run' } })
  const settings = Object.entries(options).filter(([name, value]) => SETTINGS.includes(name) && value !== undefined)
  if (settings.length > 0) assertValid(WHAT, validateSettings(Object.fromEntries(settings)))
  if (options.messages?.persistence && options.storage === undefined) {
    assertValid(WHAT, [issueAt('/messages/persistence', 'STORE', 'needs a store')])
  }
  return options
})
