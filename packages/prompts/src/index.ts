export type { BindAgentOptions } from './agents/agent-binding.js'
export { type ChainOptions, PromptChain } from './chain/prompt-chain.js'
export type { PromptMinion, PromptTemplateMinion, PromptVersionMinion } from './chain/prompt-minion.js'
export {
  isPlaceholder,
  MESSAGE_ROLES,
  type MessagePlaceholder,
  type PromptMessage,
  PromptMessageSchema,
  type RenderedMessage,
  type RoleMessage,
} from './chat/message.js'
export { messagesText, parseMessages } from './chat/message-text.js'
export { type BodyFields, messagesOf } from './chat/prompt-body.js'
export { compareGroups } from './compare/compare-groups.js'
export type { CompareOptions } from './compare/compare-prompts.js'
export { type CompareScoresOptions, compareScores, type ScorePair } from './compare/compare-scores.js'
export type { Comparison, DimensionComparison, Verdict } from './compare/comparison.js'
export type { ComparedResults, ResultReference } from './compare/pair-results.js'
export { CORE_PROMPT_TEMPLATE_ID, fromCoreTemplate, toCoreTemplate } from './convert/core-template.js'
export type { DatasetRow, TextSource } from './datasets/dataset-row.js'
export type { Execution, ExecutionFilter, Executions, FromExecutionsOptions } from './datasets/from-executions.js'
export { DATASET_FORMATS, type DatasetFormat, type ImportTestsOptions } from './datasets/import-tests.js'
export { readCsv } from './datasets/read-csv.js'
export { readJsonl } from './datasets/read-jsonl.js'
export {
  type AddedField,
  type ChangedField,
  type DiffLine,
  type DiffResult,
  DiffResultSchema,
  type RemovedField,
} from './diff/diff-result.js'
export { diffLines } from './diff/line-diff.js'
export { type Diffable, PromptDiff } from './diff/prompt-diff.js'
export type { WordChange } from './diff/word-diff.js'
export { PROMPTS_ERROR_CODES, type PromptsErrorCode } from './errors.js'
export type { FragmentReference } from './fragments/fragment-reference.js'
export type { FragmentUser } from './fragments/fragment-users.js'
export type { UsedFragment } from './fragments/load-fragments.js'
export { type AnswerCache, cachedAnswer, cachedEvaluate } from './gate/answer-cache.js'
export type { GateOptions } from './gate/gate-prompt.js'
export {
  GATE_STATUSES,
  type GateCase,
  type GateDimension,
  type GateOutcome,
  type GateReport,
  type GateStatus,
} from './gate/gate-report.js'
export { judgeDimensions } from './gate/gate-verdict.js'
export type { GateProgress } from './gate/run-cases.js'
export { type LabelChange, type LabelGuard, labelGuards } from './labels/label-guard.js'
export { isLabel, LABEL_PATTERN, LATEST, MAX_LABEL, PRODUCTION } from './labels/label-name.js'
export type { LabelState, LabelTarget } from './labels/label-state.js'
export type { LabelsApi } from './labels/labels-api.js'
export type { MoveOptions } from './labels/move-label.js'
export type { LabelOutcome, SplitComparison } from './labels/outcomes.js'
export type { ProtectedLabel } from './labels/protected-labels.js'
export type { SplitOptions, SplitShare } from './labels/split-traffic.js'
export { LINT_RULES, type LintOptions, type LintProblem, type LintRule } from './lint/lint-prompt.js'
export { isPromptBookkeeping } from './names/bookkeeping.js'
export type { NamedPrompt, PromptQuery } from './names/list-prompts.js'
export { isPromptName, MAX_PROMPT_NAME, PROMPT_NAME_PATTERN } from './names/prompt-name.js'
export { asLabels, PublishedPromptSchema, withPublished } from './operations/outputs.js'
export { promptPluginTypes, prompts } from './plugin.js'
export { type LabelledRenderOptions, type PromptPatch, PromptsApi, type PromptsParts } from './prompts-api.js'
export { promptsRef } from './ref.js'
export { type Assertions, assertionEvaluator, assertionJudge, hasAssertions } from './scoring/assertions.js'
export { checkEvaluation, type Evaluation, type Evaluator, type EvaluatorOptions } from './scoring/evaluation.js'
export { type ContainsOptions, evaluators, type LengthOptions } from './scoring/evaluators.js'
export type { JsonSchema } from './scoring/schema-evaluator.js'
export { assertScores, isScore, ScoreSchema, type Scores, ScoresSchema } from './scoring/scores.js'
export type {
  EachNode,
  FragmentNode,
  IfNode,
  PlaceholderNode,
  Reference,
  TemplateNode,
  TextNode,
} from './template/ast.js'
export {
  CompiledTemplate,
  compileTemplate,
  type RenderArguments,
  type RenderOptions,
} from './template/compiled-template.js'
export { MAX_TEMPLATE_DEPTH, parseTemplate } from './template/parse.js'
export { printTemplate } from './template/print-template.js'
export { PromptRenderer } from './template/prompt-renderer.js'
export { RendererError } from './template/renderer-error.js'
export { TemplateError } from './template/template-error.js'
export type { NeedsVariables, PartialTemplateVariables, TemplateVariables } from './template/template-variables.js'
export { isTruthy } from './template/values.js'
export type { EvaluateOptions, RunProgress } from './testing/evaluate-tests.js'
export { PromptScorer } from './testing/prompt-scorer.js'
export type { PromptResultMinion, PromptTestMinion } from './testing/prompt-test.js'
export type { RunOptions } from './testing/run-bounded.js'
export { summaryLine, summaryOf, type TestSummary } from './testing/summary.js'
export type { Answer, Evaluate, EvaluationContext, ModelAnswer, TestEvaluation } from './testing/test-evaluation.js'
export type { TestInput } from './testing/test-input.js'
export { type RunAllOptions, TestsApi } from './testing/tests-api.js'
export { promptResultType } from './types/prompt-result.js'
export { promptTemplateType } from './types/prompt-template.js'
export { promptTestType } from './types/prompt-test.js'
export { promptTypes } from './types/prompt-types.js'
export { promptVariableType, VARIABLE_TYPES, type VariableType } from './types/prompt-variable.js'
export { promptVersionType } from './types/prompt-version.js'
export type { PromptVariableMinion } from './variables/variable-value.js'
export { type VariableInput, VariablesApi } from './variables/variables-api.js'
export type { DiffEnds } from './versions/choose-ends.js'
export { bodyOf, type PromptBody, type PromptInput, type VersionInput } from './versions/prompt-input.js'
export type { ReadyPrompt } from './versions/ready-prompt.js'
export { isVersionNumber } from './versions/resolve-prompt.js'
export { versionNumber } from './versions/version-number.js'
export type { PromptReference, VersionChoice } from './versions/version-reference.js'
