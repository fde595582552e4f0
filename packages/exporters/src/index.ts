export { chainDiagram } from './diagram/chain-diagram.js'
export {
  type Diagram,
  type DiagramDirection,
  type DiagramEdge,
  type DiagramNode,
  type DiagramOptions,
  DiagramSchema,
  type DiagramStyle,
} from './diagram/diagram.js'
export { type DiagramSubset, diagramOf, minionsDiagram } from './diagram/diagram-of.js'
export { toDot } from './diagram/dot.js'
export { toMermaid } from './diagram/mermaid.js'
export { EXPORTERS_ERROR_CODES, type ExportersErrorCode } from './errors.js'
export type { OnLoss } from './exchange/exchange-format.js'
export type { LangfusePrompt } from './exchange/langfuse.js'
export type { Loss, PortablePrompt } from './exchange/portable-prompt.js'
export { type ExportContext, type Exporter, exportFormats, type ImportContext } from './exporter.js'
export type { ExportersApi, ExportFormats, ImportPromptOptions } from './exporters-api.js'
export type { TextFile } from './files/prompt-file.js'
export type { FileChange, PushOptions } from './files/sync-files.js'
export { type PromptDocument, PromptDocumentSchema } from './json/prompt-document.js'
export type { LangChainPrompt } from './langchain/to-langchain.js'
export type { LlamaIndexPrompt } from './llamaindex/to-llamaindex.js'
export { exporters } from './plugin.js'
export type { PromptContent } from './prompt-content.js'
export { type LangChainOptions, PromptExporter } from './prompt-exporter.js'
export { exportersRef } from './ref.js'
