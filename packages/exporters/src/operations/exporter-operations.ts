import type { Operation } from '@minions/core/operations'
import { getDiagram, renderDiagram } from './diagrams.js'
import { exportPrompt, importFrom, importPrompt } from './exchange.js'
import { pullFiles, pushFiles } from './files.js'

export const exporterOperations = [
  exportPrompt,
  importPrompt,
  importFrom,
  pullFiles,
  pushFiles,
  getDiagram,
  renderDiagram,
] as const satisfies readonly Operation[]
