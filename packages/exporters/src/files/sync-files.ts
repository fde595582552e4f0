import { type By, coreError, everyPage } from '@minions/core'
import {
  type DiffResult,
  DiffResultSchema,
  PromptDiff,
  type PromptMinion,
  type PromptsApi,
  versionNumber,
} from '@minions/prompts'
import { type Static, Type } from 'typebox'
import { exportersError } from '../errors.js'
import { type PromptFile, readFile, type TextFile, writeFile } from './prompt-file.js'
import { asDiffable, isSame, type PromptState, stateOf } from './prompt-state.js'

/** The action of a push or pull for a file. */
export const FileChangeSchema = Type.Object({
  path: Type.String(),
  name: Type.String(),
  change: Type.Enum(['created', 'changed', 'unchanged', 'behind', 'edited'], {
    description:
      '`behind`: the store has a later version, and the file was not edited. `edited`: the file was edited, and the store has no later version.',
  }),
  diff: DiffResultSchema,
  text: Type.Optional(Type.String({ description: 'The new content of the file; absent if it is unchanged.' })),
  version: Type.Union([Type.Number(), Type.Null()], {
    description: 'Number of the version; null for one without a number, or for one that is not written yet.',
  }),
})

export type FileChange = Readonly<Static<typeof FileChangeSchema>>

/** A prompt that was changed in the file and in the store since the file was written. A type, since it is JSON. */
type Conflict = { readonly path: string; readonly file: string; readonly store: string }

export interface PushOptions extends By {
  /** Only report what would be done. */
  readonly dryRun?: boolean | undefined
  /** Description of the new versions, for people to read. */
  readonly changelog?: string | undefined
}

/**
 * Creates versions from edited files. Throws `FILES_CONFLICT` with both texts, in which case nothing is written. Call
 * it in a transaction.
 */
export async function pushFiles(
  prompts: PromptsApi,
  files: readonly TextFile[],
  { dryRun = false, changelog, ...by }: PushOptions,
): Promise<FileChange[]> {
  const compared = await compareAll(prompts, files)
  const changes: FileChange[] = []
  for (const { file, latest, standing } of compared) {
    const { path, name, state } = file
    const isWritten = standing === 'created' || standing === 'edited'
    const diff = diffOf(isWritten ? latest && stateOf(latest) : state, state)
    const change = standing === 'edited' ? 'changed' : standing
    if (!isWritten || dryRun) {
      changes.push({ path, name, change, diff, version: isWritten || !latest ? null : versionNumber(latest) })
      continue
    }
    const written = latest
      ? await prompts.addVersion(latest.id, { ...state, changelog }, by)
      : await prompts.create({ ...state, name }, by)
    const { text } = writeFile({ name, version: written.id, state })
    changes.push({ path, name, change, diff, text, version: versionNumber(written) })
  }
  return changes
}

/**
 * The latest versions of all prompts as files, ordered by path, replacing those that were not edited. Throws
 * `FILES_CONFLICT` with both texts.
 */
export async function pullFiles(prompts: PromptsApi, files: readonly TextFile[]): Promise<FileChange[]> {
  const compared = await compareAll(prompts, files)
  const byName = new Map(compared.map((one) => [one.file.name, one]))
  const changes: FileChange[] = []
  for (const { id, name } of await everyPage((next) => prompts.list({ limit: 500, ...next }))) {
    if (name === null) continue
    const latest = await prompts.latest(id)
    const state = stateOf(latest)
    const { path, text } = writeFile({ name, version: latest.id, state })
    const known = byName.get(name)
    const file = known?.file
    const standing = known?.standing
    const diff = diffOf(standing === 'edited' ? state : file?.state, state)
    const found = { path: file?.path ?? path, name, diff, version: versionNumber(latest) }
    const isKept = standing === 'edited' || (standing === 'unchanged' && file?.version === latest.id)
    if (isKept) changes.push({ ...found, change: standing })
    else changes.push({ ...found, change: file ? 'changed' : 'created', text })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface Compared {
  readonly file: PromptFile
  readonly latest: PromptMinion | undefined
  readonly standing: 'created' | 'edited' | 'behind' | 'unchanged'
}

async function compareAll(prompts: PromptsApi, files: readonly TextFile[]): Promise<Compared[]> {
  const read = files.map(readFile)
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index)
  if (twice)
    throw exportersError('IMPORT_INVALID', `Several files are named "${twice.name}"; one of them is ${twice.path}.`)
  const compared: Compared[] = []
  const conflicts: Conflict[] = []
  for (const file of read) {
    const found = await compare(prompts, file)
    if ('conflict' in found) conflicts.push(found.conflict)
    else compared.push(found)
  }
  if (conflicts.length === 0) return compared
  const paths = conflicts.map(({ path }) => path).join(', ')
  throw exportersError(
    'FILES_CONFLICT',
    `Changed in the file and in the store: ${paths}. Merge both texts in the file and set its \`version\` to that of the store, or remove the file and pull it again.`,
    { details: { conflicts } },
  )
}

async function compare(prompts: PromptsApi, file: PromptFile): Promise<Compared | { readonly conflict: Conflict }> {
  const prompt = await prompts.find(file.name)
  if (!prompt) {
    if (file.version === undefined) return { file, latest: undefined, standing: 'created' }
    return { conflict: { path: file.path, file: textOf(file), store: '' } }
  }
  const latest = await prompts.latest(prompt.id)
  if (isSame(file.state, stateOf(latest))) return { file, latest, standing: 'unchanged' }
  if (file.version === latest.id) return { file, latest, standing: 'edited' }
  const base = file.version === undefined ? undefined : await baseOf(prompts, prompt.id, file.version)
  if (base && isSame(file.state, base)) return { file, latest, standing: 'behind' }
  return {
    conflict: {
      path: file.path,
      file: textOf(file),
      store: writeFile({ name: file.name, version: latest.id, state: stateOf(latest) }).text,
    },
  }
}

/** The content of the file when it was written; undefined if that version no longer exists. */
async function baseOf(prompts: PromptsApi, promptId: string, versionId: string): Promise<PromptState | undefined> {
  try {
    const version = versionId === promptId ? 0 : versionId
    return stateOf(await prompts.get({ prompt: promptId, version }))
  } catch (error) {
    if (coreError.is(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

function diffOf(before: PromptState | undefined, after: PromptState): DiffResult {
  return new PromptDiff().diff(before ? asDiffable(before) : { fields: {} }, asDiffable(after))
}

function textOf(file: PromptFile): string {
  return writeFile(file).text
}
