import { type CoreErrorCode, isMinionsError } from '@minions/core'
import type { PromptsErrorCode } from '@minions/prompts'
import { defineRoutes } from '@minions/server/plugin'
import { readPrompt } from './read-prompt.js'

const PATH = '/api/public/v2/prompts'

/** Codes that Langfuse clients understand as a missing prompt. */
const ABSENT: readonly string[] = [
  'NOT_FOUND',
  'DELETED',
  'LABEL_UNKNOWN',
  'LABEL_INVALID',
  'VALIDATION_FAILED',
] satisfies (CoreErrorCode | PromptsErrorCode)[]

/** `GET /api/public/v2/prompts/{name}?label=&version=`, in the format of Langfuse. */
export const promptRoutes = defineRoutes({
  path: PATH,
  async handle(request, _deps, { run }) {
    const { pathname, searchParams } = new URL(request.url)
    if (request.method !== 'GET') return problem(405, 'MethodNotAllowedError', 'Prompts can only be read here.')
    const name = nameIn(pathname)
    if (name === undefined) return problem(404, 'LangfuseNotFoundError', `There is nothing at ${pathname}.`)
    try {
      const prompt = await readPrompt(run, name, searchParams.get('label'), searchParams.get('version'))
      return Response.json(prompt)
    } catch (error) {
      if (isMinionsError(error) && ABSENT.includes(error.code))
        return problem(404, 'LangfuseNotFoundError', error.message)
      throw error
    }
  },
})

/** Names with a slash are encoded, or not. */
function nameIn(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(PATH.length + 1)) || undefined
  } catch {
    return undefined
  }
}

function problem(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status })
}
