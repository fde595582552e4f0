import { pathToFileURL } from 'node:url'
import { isRecord } from '../validation.js'

const SKILL_MARKS = ['name', 'version', 'parameters_schema', 'execute', 'steps']

/**
 * Imports a module and returns what it exports that is meant as a skill: objects with one of a skill's attributes, alone
 * or in a list. Throws what the module throws. A module is trusted code: it runs in this process.
 */
export async function importSkills(real: string, timeoutMs: number): Promise<unknown[]> {
  const exports = await withTimeout(import(pathToFileURL(real).href), timeoutMs)
  const candidates = Object.values(exports as object).flatMap((value) => (Array.isArray(value) ? value : [value]))
  return [...new Set(candidates)].filter(
    (value) => isRecord(value) && SKILL_MARKS.some((mark) => Object.hasOwn(value, mark)),
  )
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not finish loading within ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
