import type { Operation } from '@minions/core'
import { getDiagram, renderDiagram } from './diagrams.js'
import { exportPrompt, importPrompt } from './exchange.js'

/** Exports and pictures. */
export const exporterOperations: readonly Operation[] = [exportPrompt, importPrompt, getDiagram, renderDiagram]
