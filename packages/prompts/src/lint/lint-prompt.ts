import { type Static, Type } from 'typebox'
import type { PromptAccess } from '../access.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isTemplate, loadLivePrompt, type PromptMinion } from '../chain/prompt-minion.js'
import { isPlaceholder } from '../chat/message.js'
import { parseMessages } from '../chat/message-text.js'
import { messagesOf } from '../chat/prompt-body.js'
import { compileTemplate } from '../template/compiled-template.js'
import { namesInItems } from '../template/extract-variables.js'
import { RendererError } from '../template/renderer-error.js'
import { inputOf } from '../testing/prompt-scorer.js'
import { type PromptTestMinion, testsOf } from '../testing/prompt-test.js'
import type { PromptVariableMinion } from '../variables/variable-value.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import { renderWith } from '../versions/render-prompt.js'

/** The rules of `lint`. */
export const LINT_RULES = {
  'undeclared-variable': 'The content uses a variable that is not declared.',
  'unused-variable': 'A declared variable is not used in the content.',
  'shadowed-variable': 'A declared variable is used inside #each, where an item may have a property of its name.',
  'test-lacks-variable': 'A test does not provide a variable that rendering needs.',
  'late-system-message': 'A system message comes after a user or assistant message; some models refuse it.',
  'empty-message': 'A message is empty; some models refuse it.',
  'missing-changelog': 'A version has no changelog.',
  'missing-test': 'The prompt has no test.',
  'few-dimensions': 'The tests score fewer than two dimensions, which hides regressions.',
}
export type LintRule = keyof typeof LINT_RULES

/** A likely problem with a prompt. Not an `Issue`: no rule is broken, and it concerns a minion, not a value in one. */
export const LintProblemSchema = Type.Object({
  rule: Type.Enum(Object.keys(LINT_RULES) as LintRule[]),
  message: Type.String(),
  minionId: Type.String({ description: 'Id of the affected prompt, version, variable or test.' }),
  variable: Type.Optional(Type.String({ description: 'The affected variable.' })),
})

export type LintProblem = Readonly<Static<typeof LintProblemSchema>>

export interface LintOptions {
  /** A text that is not saved yet, checked as if it were the next version. */
  readonly draft?: string
}

/**
 * Looks for likely problems with a prompt. Given a prompt, checks its content, that of its latest version, and the
 * changelogs of all versions; given a version, only that one. A draft replaces all contents. Throws `TemplateError` or
 * `MESSAGES_INVALID` for a malformed draft.
 */
export async function lintPrompt(access: PromptAccess, id: string, options: LintOptions = {}): Promise<LintProblem[]> {
  const { draft } = options
  const { client, lookup } = access
  const chains = new PromptChain(client, lookup)
  const minion = await loadLivePrompt(access, id)
  const chain = isTemplate(minion) ? await chains.getVersionChain(minion.id) : [minion]
  const newest = isTemplate(minion) ? await chains.getLatestVersion(minion.id) : minion
  // Without versions, a chain returns the prompt in its original state, not the published one.
  const stored = newest.id === minion.id ? minion : newest
  const latest = draft === undefined ? stored : withContent(stored, draft)
  const ready = await readyPrompt(access, latest)
  const isAlone = draft !== undefined || stored === minion
  const contents = isAlone ? [ready] : [await readyPrompt(access, minion), ready]
  const tests = await testsOf(access, await lookup.rootId(minion))
  return [
    ...variableProblems(contents, ready.declared),
    ...messageProblems(latest),
    ...tests.flatMap((test) => testProblems(ready, test)),
    ...chain.flatMap(changelogProblems),
    ...coverageProblems(minion, tests),
  ]
}

/** The prompt with another text, which for a chat prompt is its messages. */
function withContent<Prompt extends PromptMinion>(prompt: Prompt, content: string): Prompt {
  const messages = messagesOf(prompt) && parseMessages(content)
  return { ...prompt, fields: { ...prompt.fields, content, ...(messages && { messages }) } }
}

function variableProblems(contents: readonly ReadyPrompt[], declared: readonly PromptVariableMinion[]): LintProblem[] {
  const problems = new Map<string, LintProblem>()
  const used = new Set<string>()
  const add = (rule: LintRule, minionId: string, variable: string, message: string) => {
    const key = `${rule} ${variable}`
    if (!problems.has(key)) problems.set(key, { rule, message, minionId, variable })
  }
  for (const { version } of contents) {
    const { id } = version
    const { variables, nodes } = compileTemplate<string>(version.fields.content)
    const inItems = namesInItems(nodes)
    for (const name of [...variables, ...inItems]) used.add(name)
    for (const name of variables) {
      if (declared.some(({ title }) => title === name)) continue
      add('undeclared-variable', id, name, `Variable "${name}" is used but not declared.`)
    }
    for (const { title } of declared) {
      if (!inItems.has(title)) continue
      add('shadowed-variable', id, title, `Inside #each, an item's own "${title}" would hide the variable "${title}".`)
    }
  }
  for (const { id, title } of declared) {
    if (!used.has(title)) add('unused-variable', id, title, `Variable "${title}" is declared but not used.`)
  }
  return [...problems.values()]
}

function messageProblems(prompt: PromptMinion): LintProblem[] {
  const messages = messagesOf(prompt) ?? []
  const roles = messages.map((message) => ('role' in message ? message.role : undefined))
  const spoken = roles.findIndex((role) => role === 'user' || role === 'assistant')
  return messages.flatMap((message, index): LintProblem[] => {
    if (isPlaceholder(message)) return []
    const isLate = message.role === 'system' && spoken !== -1 && index > spoken
    return [
      ...(isLate
        ? [problem('late-system-message', prompt, `Message ${index + 1} is a system message after other messages.`)]
        : []),
      ...(message.content.trim() === '' ? [problem('empty-message', prompt, `Message ${index + 1} is empty.`)] : []),
    ]
  })
}

function problem(rule: LintRule, { id }: PromptMinion, message: string): LintProblem {
  return { rule, message, minionId: id }
}

function testProblems(ready: ReadyPrompt, test: PromptTestMinion): LintProblem[] {
  try {
    renderWith(ready, inputOf(test))
    return []
  } catch (error) {
    if (!(error instanceof RendererError)) throw error
    const rule = 'test-lacks-variable'
    if (error.missingVariables.length === 0) return [{ rule, message: error.message, minionId: test.id }]
    return error.missingVariables.map((variable) => ({
      rule,
      message: `Test "${test.title}" has no value for "${variable}".`,
      minionId: test.id,
      variable,
    }))
  }
}

function changelogProblems(minion: PromptMinion): LintProblem[] {
  if (isTemplate(minion) || minion.fields.changelog) return []
  const name = minion.fields.versionNumber === undefined ? `"${minion.title}"` : minion.fields.versionNumber
  return [{ rule: 'missing-changelog', message: `Version ${name} has no changelog.`, minionId: minion.id }]
}

function coverageProblems({ id, title }: PromptMinion, tests: readonly PromptTestMinion[]): LintProblem[] {
  if (tests.length === 0) {
    return [{ rule: 'missing-test', message: `Prompt "${title}" has no test.`, minionId: id }]
  }
  const dimensions = new Set(tests.flatMap((test) => test.fields.scoringDimensions ?? []))
  if (dimensions.size >= 2) return []
  const message = `The tests of "${title}" score fewer than two dimensions; a single score hides regressions.`
  return [{ rule: 'few-dimensions', message, minionId: id }]
}
