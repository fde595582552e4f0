export type { BindAgentOptions } from './agents/agent-binding.js'
export { type ChainOptions, PromptChain } from './chain/prompt-chain.js'
export type { PromptMinion, PromptTemplateMinion, PromptVersionMinion } from './chain/prompt-minion.js'
export type { CompareOptions } from './compare/compare-prompts.js'
export {
  type CompareScoresOptions,
  type Comparison,
  compareScores,
  type DimensionComparison,
  type ScorePair,
  type Verdict,
} from './compare/compare-scores.js'
export type { ComparedResults, ResultReference } from './compare/pair-results.js'
export { CORE_PROMPT_TEMPLATE_ID, fromCoreTemplate, toCoreTemplate } from './convert/core-template.js'
export type { AddedField, ChangedField, DiffLine, DiffResult, RemovedField } from './diff/diff-result.js'
export { diffLines } from './diff/line-diff.js'
export { type Diffable, PromptDiff } from './diff/prompt-diff.js'
export type { WordChange } from './diff/word-diff.js'
export { PROMPTS_ERROR_CODES, type PromptsErrorCode } from './errors.js'
export { LINT_RULES, type LintProblem, type LintRule } from './lint/lint-prompt.js'
export { promptPluginTypes, prompts } from './plugin.js'
export { type PromptPatch, PromptsApi } from './prompts-api.js'
export { promptsRef } from './ref.js'
export { checkEvaluation, type Evaluation, type Evaluator, type EvaluatorOptions } from './scoring/evaluation.js'
export { type ContainsOptions, evaluators, type LengthOptions } from './scoring/evaluators.js'
export type { JsonSchema } from './scoring/schema-evaluator.js'
export { assertScores, isScore, ScoreSchema, type Scores, ScoresSchema } from './scoring/scores.js'
export type { EachNode, IfNode, PlaceholderNode, Reference, TemplateNode, TextNode } from './template/ast.js'
export {
  CompiledTemplate,
  compileTemplate,
  type RenderArguments,
  type RenderOptions,
} from './template/compiled-template.js'
export { MAX_TEMPLATE_DEPTH, parseTemplate } from './template/parse.js'
export { PromptRenderer } from './template/prompt-renderer.js'
export { RendererError } from './template/renderer-error.js'
export { TemplateError } from './template/template-error.js'
export type { NeedsVariables, PartialTemplateVariables, TemplateVariables } from './template/template-variables.js'
export { isTruthy } from './template/values.js'
export type { EvaluateOptions, RunProgress } from './testing/evaluate-tests.js'
export { PromptScorer } from './testing/prompt-scorer.js'
export type { PromptResultMinion, PromptTestMinion } from './testing/prompt-test.js'
export type { RunOptions } from './testing/run-bounded.js'
export type { Evaluate, EvaluationContext, TestEvaluation } from './testing/test-evaluation.js'
export { type RunAllOptions, type TestInput, TestsApi } from './testing/tests-api.js'
export { promptResultType } from './types/prompt-result.js'
export { promptTemplateType } from './types/prompt-template.js'
export { promptTestType } from './types/prompt-test.js'
export { promptTypes } from './types/prompt-types.js'
export { promptVariableType, VARIABLE_TYPES, type VariableType } from './types/prompt-variable.js'
export { promptVersionType } from './types/prompt-version.js'
export type { PromptVariableMinion } from './variables/variable-value.js'
export { type VariableInput, VariablesApi } from './variables/variables-api.js'
export type { PromptInput, VersionInput } from './versions/prompt-input.js'
export type { PromptReference, VersionChoice } from './versions/version-reference.js'
