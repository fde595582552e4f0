import { relative, sep } from 'node:path'
import type { Clock } from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import { guardMethods, readClock, takeOptions } from '@minions/core/plugin'
import { WorkspaceLayout } from '../folder/layout.js'
import { readMemoryMd, readPromptFiles } from '../folder/read-folder.js'
import { listSkills, type SkillEntry } from '../folder/skills.js'
import type { Workspace } from '../graph/workspace.js'
import { shortened, tokensIn } from './tokens.js'

/** Tier 3 of memory: insights for an agent that works in this workspace. */
export type InsightSource = (workspace: Workspace) => readonly string[] | Promise<readonly string[]>

export interface ContextBuilderOptions {
  readonly insights?: InsightSource
}

export interface BuildContextOptions {
  /** The time stated in the context, or a clock. Default: now. */
  readonly now?: Date | number | string | Clock
}

/**
 * Builds the context of an agent for a workspace: identity, boundary, prompt files, memory, graph and skills, in this
 * order. Read-only; the same input and time give the same text.
 */
export class ContextBuilder {
  readonly #insights: InsightSource | undefined

  constructor(options: ContextBuilderOptions = {}) {
    this.#insights = takeOptions('The options of a context builder', options).insights
  }

  async build(workspace: Workspace, root: string, options: BuildContextOptions = {}): Promise<string> {
    const { now } = options
    const time = readClock(typeof now === 'function' || now === undefined ? now : () => now)
    const layout = WorkspaceLayout.fromRoot(root)
    const [prompts, memory, skills, insights] = await Promise.all([
      readPromptFiles(layout.root),
      readMemoryMd(layout.root),
      listSkills(layout.root),
      this.#insights?.(workspace) ?? [],
    ])
    return paragraphs([
      identity(workspace, layout, time),
      boundary(layout),
      promptSection(prompts),
      memorySection(memory, insights),
      graphSection(workspace),
      skillSection(layout.root, skills),
    ])
  }
}

guardMethods(ContextBuilder)

/** Joins parts with blank lines. Concatenation only links strings, where `join` copies: files may be large. */
function paragraphs(parts: readonly string[]): string {
  return parts.reduce((text, part) => `${text}\n\n${part}`)
}

function identity(workspace: Workspace, layout: WorkspaceLayout, time: string): string {
  return [
    `# Workspace ${oneLine(workspace.name)}`,
    '',
    '## Identity',
    '',
    `- name: ${oneLine(workspace.name)}`,
    `- id: ${oneLine(workspace.id)}`,
    ...(workspace.description === '' ? [] : [`- description: ${oneLine(workspace.description)}`]),
    `- root: ${layout.root}`,
    `- time: ${time}`,
  ].join('\n')
}

function boundary(layout: WorkspaceLayout): string {
  return `## Boundary\n\nFiles may be read and written below ${layout.dataDir} only. Nothing outside it is yours.`
}

function promptSection(files: Readonly<Record<string, string>>): string {
  const parts = Object.entries(files).map(([name, text]) => `### ${name}\n\n${text.trimEnd()}`)
  return paragraphs(['## Prompt files', ...(parts.length === 0 ? ['None.'] : parts)])
}

function memorySection(memory: string, insights: readonly string[]): string {
  const parts = ['## Memory', memory.trimEnd() || 'None.']
  if (insights.length > 0) parts.push('### Insights', insights.map((insight) => `- ${oneLine(insight)}`).join('\n'))
  return paragraphs(parts)
}

function graphSection(workspace: Workspace): string {
  const summary = workspace.getNetworkSummary()
  const types = Object.entries(summary.node_types).sort(([a], [b]) => compareCodePoints(a, b))
  const rules = workspace.getAllRules().map(({ name, description, priority }) => {
    const detail = description === '' ? '' : `: ${oneLine(description)}`
    return `- ${oneLine(name)} (priority ${priority})${detail}`
  })
  const keys = summary.current_state_keys.map(oneLine).sort(compareCodePoints)
  return paragraphs([
    '## Graph',
    `### Nodes\n\n${bullets(types.map(([type, count]) => `- ${type}: ${count}`))}`,
    `Connections: ${summary.total_connections}`,
    `### Rules\n\n${bullets(rules)}`,
    `### State keys\n\n${bullets(keys.map((key) => `- ${key}`))}`,
  ])
}

function skillSection(root: string, skills: readonly SkillEntry[]): string {
  const lines = skills.map(({ name, path, description = '' }) => {
    const [label, where] = [oneLine(name), relative(root, path).split(sep).join('/')]
    const about = shortened(oneLine(description), Math.max(0, MAX_SKILL_TOKENS - tokensIn(`- ${label}: (${where})`)))
    return `- ${label}${about === '' ? '' : `: ${about}`} (${where})`
  })
  const hint = skills.length === 0 ? '' : '\n\nRead the file of a skill, below the root, before you use it.'
  return `## Skills\n\n${bullets(lines)}${hint}\n`
}

/** At most a hundred by the tokenizers of models: a context names skills, and their text is read when one is used. */
const MAX_SKILL_TOKENS = 92

function bullets(lines: readonly string[]): string {
  return lines.length === 0 ? 'None.' : lines.join('\n')
}

/** Values come from files and callers; a line break in one must not look like a new section. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
