import { isRecord, pointerTo } from '@minions/core/json'
import { memoryStorage } from '@minions/core/memory'
import { issuesBelow } from '@minions/core/schema'
import { exporters } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { minionProblems, relationProblems } from './check-minions.js'
import { type DocumentProblem, problemsOf } from './problem.js'

const LISTS = ['versions', 'variables', 'tests', 'results'] as const

/** Checks a prompt as written by `prompts export`: every minion and relation on its own, then the whole. */
export async function promptProblems(document: unknown): Promise<DocumentProblem[]> {
  const app = await createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters()] })
  try {
    const parts = Object(document) as Record<string, unknown>
    const minion = (value: unknown) => minionProblems(value, (id) => app.types.get(id))
    const problems = isRecord(parts.prompt) ? issuesBelow('/prompt', minion(parts.prompt)) : []
    for (const name of LISTS) problems.push(...eachOf(name, parts[name], minion))
    problems.push(...eachOf('relations', parts.relations, relationProblems))
    if (problems.length > 0) return problems
    return await app.exporters.importJSON(document as never).then(() => [], problemsOf)
  } finally {
    await app.close()
  }
}

function eachOf(name: string, list: unknown, check: (value: unknown) => DocumentProblem[]): DocumentProblem[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((value, index) => issuesBelow(pointerTo(`/${name}`, index), check(value)))
}
