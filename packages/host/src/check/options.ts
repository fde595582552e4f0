import { messageOf } from '@minions/core'
import type { Plugin } from '@minions/core/plugin'
import { type CompiledSchema, compileSchema, describeIssues } from '@minions/core/schema'
import { hostError } from '../errors.js'

/** Checks the options of every plugin against its schema. Throws with all problems of the first invalid one. */
export function checkOptions(plugins: readonly Plugin[]): void {
  for (const plugin of plugins) {
    if (plugin.options === undefined) continue
    const { value = {} } = plugin.options
    const errors = schemaOf(plugin, plugin.options.schema).issues(value)
    if (errors.length === 0) continue
    const { name } = plugin.ref
    const what = describeIssues(errors, 'the whole value')
    throw hostError('OPTIONS_INVALID', `The options of the plugin "${name}" are invalid: ${what}.`, {
      details: { plugins: [name], errors },
    })
  }
}

function schemaOf({ ref: { name } }: Plugin, schema: object): CompiledSchema {
  try {
    return compileSchema(schema, { trusted: true })
  } catch (cause) {
    const message = `The plugin "${name}" has a schema for its options that cannot be used: ${messageOf(cause)}`
    throw hostError('PLUGIN_INVALID', message, { details: { plugins: [name] }, cause })
  }
}
