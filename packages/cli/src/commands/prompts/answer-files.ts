import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { JsonValue } from '@minions/core/json'
import { isSystemError, replaceFileSync } from '@minions/files'
import { type Answer, type AnswerCache, cachedAnswer, cachedEvaluate, type Evaluate } from '@minions/prompts'
import { homeOf } from '../../app/configuration.js'
import type { Cli } from '../../cli.js'
import { type EvaluationOptions, readAnswer, readEvaluation } from '../../input/evaluation.js'

/**
 * The judges that the options name; earlier answers of the modules come from files, unless the options say otherwise.
 */
export async function cachedJudges(
  cli: Cli,
  options: EvaluationOptions & { readonly cache: boolean },
): Promise<{ answer: Answer | undefined; evaluate: Evaluate | undefined }> {
  const answer = await readAnswer(cli, options)
  const evaluate = await readEvaluation(cli, options)
  if (!options.cache) return { answer, evaluate }
  const cache = answerFiles(join(homeOf(cli).value, 'answers'))
  return {
    answer: answer && options.answer ? cachedAnswer(answer, cache, await hashOf(cli, options.answer)) : answer,
    evaluate:
      evaluate && options.evaluator ? cachedEvaluate(evaluate, cache, await hashOf(cli, options.evaluator)) : evaluate,
  }
}

/** A changed module is asked again. */
async function hashOf(cli: Cli, module: string): Promise<string> {
  const text = await readFile(resolve(cli.cwd, module))
  return createHash('sha256').update(text).digest('hex')
}

/** One file per answer, written atomically. An unreadable file counts as absent. */
function answerFiles(folder: string): AnswerCache {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`)
  return {
    async get(key) {
      try {
        return JSON.parse(await readFile(pathOf(key), 'utf8')) as JsonValue
      } catch (error) {
        if (error instanceof SyntaxError || isSystemError(error, 'ENOENT')) return undefined
        throw error
      }
    },
    async set(key, value) {
      mkdirSync(folder, { recursive: true })
      replaceFileSync(pathOf(key), `${JSON.stringify(value)}\n`, join(folder, `.${randomUUID()}.tmp`), false)
    },
  }
}
