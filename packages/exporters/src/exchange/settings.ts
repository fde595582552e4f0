import { isRecord, type JsonObject, type JsonValue, setOwn } from '@minions/core/json'
import type { Lose } from './portable-prompt.js'

/** Names of our settings in a format. */
export type SettingNames = Readonly<Record<string, string>>

/** Settings with the names of a format. Those it does not have are lost. */
export function writeSettings(settings: JsonObject = {}, names: SettingNames, lose: Lose): JsonObject {
  const values: JsonObject = {}
  for (const [name, value] of Object.entries(settings)) {
    if (Object.hasOwn(names, name)) setOwn(values, names[name] as string, value as JsonValue)
    else lose(`settings.${name}`, 'there is no such setting')
  }
  return values
}

/** Our settings from those of a format; unknown ones are lost, except those the caller reads itself. */
export function readSettings(values: JsonObject, names: SettingNames, own: readonly string[], lose: Lose): JsonObject {
  const settings: JsonObject = {}
  for (const [word, value] of Object.entries(values)) {
    if (own.includes(word)) continue
    const name = Object.keys(names).find((key) => names[key] === word)
    if (name === undefined) lose(word, 'a prompt has no such setting')
    else setOwn(settings, name, value as JsonValue)
  }
  return settings
}

/** The settings of a prompt: undefined if there are none. */
export function settingsOf(settings: JsonObject): { settings?: JsonObject } {
  return Object.keys(settings).length > 0 ? { settings } : {}
}

export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? (value as JsonObject) : undefined
}
