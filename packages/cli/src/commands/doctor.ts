import { join } from 'node:path'
import { coreError } from '@minions/core'
import { readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { oneLine, print, sections } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { diagnoseStore, diagnoseWorkspaces, type Finding, hasWorkspaces } from '../store/diagnose.js'
import { repair } from '../store/repair.js'
import { assertExists, isMissing, localPath, withStore } from '../store/store.js'

/** Remedies for findings that need a decision. */
const REMEDIES: Readonly<Record<Finding['kind'], string>> = {
  damaged: 'restore it from a backup',
  orphan: 'create the record it refers to, or remove it (minions purge)',
  'dangling relation': 'run doctor again',
  'asymmetric edge': 'run doctor again',
}

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'doctor')
    .examples('doctor', 'doctor --fix', 'doctor --storage fs:./data --json')
    .option('--fix', 'repair what needs no decision; what is removed is kept in a file')
    .action(({ fix }) => doctor(cli, fix ?? false))
}

async function doctor(cli: Cli, fix: boolean): Promise<void> {
  const { home } = await readConfiguration(cli)
  const found = await diagnose(cli)
  if (!fix) {
    const shown = found.map(plain)
    print(cli, shown, () => sections(shown.map(line).join('\n'), summary(0, shown.length)))
    if (found.length > 0) cli.exitCode = 1
    return
  }
  const keepIn = join(home.value, 'doctor', `removed-${new Date().toISOString().replaceAll(':', '-')}.jsonl`)
  const { done, kept } = await repair(cli, found, home.value, keepIn)
  const remaining = (done.length === 0 ? found : await diagnose(cli)).map(plain)
  print(cli, { done, kept: kept ?? null, remaining }, () => {
    const where = kept === undefined ? [] : [`What was removed is in ${kept}`]
    const rest = remaining.map((finding) => `${line(finding)}; ${REMEDIES[finding.kind]}`)
    return [...done.map(oneLine), ...where, ...rest, '', summary(done.length, remaining.length)].join('\n').trimStart()
  })
  if (remaining.length > 0) cli.exitCode = 1
}

async function diagnose(cli: Cli): Promise<Finding[]> {
  const { home, storage } = await readConfiguration(cli)
  const findings: Finding[] = []
  const url = typeof storage.value === 'string' ? storage.value : undefined
  // A named store must exist; the default one may not have been created yet.
  if (url !== undefined && storage.source !== 'default') assertExists(url)
  if (url === undefined || !isMissing(url)) {
    try {
      await withStore(cli, storage.value, async (store) => {
        for await (const finding of diagnoseStore(store)) findings.push(finding)
      })
    } catch (error) {
      if (!coreError.is(error, 'STORAGE_CORRUPT')) throw error
      findings.push({
        kind: 'damaged',
        where: (url && localPath(url)) ?? 'the store',
        message: `${error.code}: ${error.message}`,
      })
    }
  }
  if (cli.options.storage === undefined && hasWorkspaces(home.value)) {
    for await (const finding of diagnoseWorkspaces(home.value)) findings.push(finding)
  }
  return findings
}

/** A finding as it is shown, without the record. */
function plain({ kind, where, message }: Finding): Finding {
  return { kind, where, message }
}

function line({ kind, where, message }: Finding): string {
  return oneLine(`${kind} in ${where}: ${message}`)
}

function summary(done: number, remaining: number): string {
  const mended = done === 0 ? '' : `${done} ${done === 1 ? 'problem was' : 'problems were'} repaired. `
  if (remaining === 0) return `${mended}No problems ${mended === '' ? 'found' : 'remain'}.`
  return `${mended}${remaining} ${remaining === 1 ? 'problem' : 'problems'} ${mended === '' ? 'found' : 'remain'}.`
}
