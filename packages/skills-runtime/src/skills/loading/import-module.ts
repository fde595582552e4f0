import { pathToFileURL } from 'node:url'
import { withDeadline } from '@minions/core/coordination'
import { isRecord } from '@minions/core/json'

const SKILL_MARKS = ['name', 'version', 'parameters_schema', 'execute', 'steps']

/**
 * Imports a module and returns what it exports that is meant as a skill: objects with one of a skill's attributes, alone
 * or in a list. Throws what the module throws. A module is trusted code: it runs in this process.
 */
export async function importSkills(real: string, timeoutMs: number): Promise<unknown[]> {
  const expired = () => {
    throw new Error(`It did not finish loading within ${timeoutMs} ms.`)
  }
  const exports = await withDeadline<Record<string, unknown>>(import(pathToFileURL(real).href), {
    timeout: timeoutMs,
    expired,
  })
  const candidates = Object.values(exports).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return [...new Set(candidates)].filter(
    (value) => isRecord(value) && SKILL_MARKS.some((mark) => Object.hasOwn(value, mark)),
  )
}
