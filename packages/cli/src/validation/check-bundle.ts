import { isMinionsError } from '@minions/core'
import { isRecord } from '@minions/core/json'
import { memoryStorage } from '@minions/core/memory'
import { issuesBelow, typeProblems } from '@minions/core/schema'
import { clientCollections, typesCollection } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { workspacesCollection } from '@minions/workspace'
import { colonyPlugins } from '../app/colony-app.js'
import { recordProblems } from './check-minions.js'
import type { DocumentProblem } from './problem.js'

const collections = new Map([...clientCollections, workspacesCollection].map((each) => [each.name, each]))

/**
 * Checks a bundle: the record of every line on its own, then the first reason for which an import into a new store
 * would fail, such as a checksum or a reference.
 */
export async function bundleProblems(text: string, home: string): Promise<DocumentProblem[]> {
  const problems = text
    .split('\n')
    .flatMap((line, index) => lineProblems(line).map((each) => ({ line: index + 1, ...each })))
  const refusal = await importRefusal(text, home)
  if (refusal && !problems.some(({ line }) => line === refusal.line)) problems.push(refusal)
  return problems.sort((a, b) => a.line - b.line)
}

function lineProblems(text: string): DocumentProblem[] {
  if (text === '') return []
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    return [{ pointer: '', code: 'INVALID_JSON', message: `is not JSON: ${(error as Error).message}` }]
  }
  if (!isRecord(content) || !('collection' in content)) return []
  const { collection: name, record } = content
  const collection = collections.get(String(name))
  if (collection === undefined) return []
  const problems = recordProblems(collection, record)
  const isType = problems.length === 0 && collection.name === typesCollection.name
  return issuesBelow('/record', isType ? typeProblems(record) : problems)
}

async function importRefusal(text: string, home: string): Promise<(DocumentProblem & { line: number }) | undefined> {
  const plugins = await colonyPlugins({ configDir: home, store: 'storage' })
  const app = await createMinions({ storage: memoryStorage(), plugins })
  try {
    await app.importBundle(text)
    return undefined
  } catch (error) {
    if (!isMinionsError(error)) throw error
    // Other errors concern what a new store already has, such as another version of a built-in type.
    if (error.code !== 'INVALID_BUNDLE') return undefined
    return { line: Number(error.details.line), pointer: '', code: error.code, message: error.message }
  } finally {
    await app.close()
  }
}
