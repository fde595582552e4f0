import { isMinionsError } from '@minions/core'
import type { Command } from 'commander'
import { readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { oneLine, print } from '../output/output.js'
import { examples } from '../program/options.js'
import { diagnoseStore, diagnoseWorkspaces, type Finding, hasWorkspaces } from '../store/diagnose.js'
import { assertExists, isMissing, localPath, withStore } from '../store/store.js'

export function register(program: Command, cli: Cli): void {
  examples(
    program.command('doctor').action(() => doctor(cli)),
    'doctor',
    'doctor --storage fs:./data --json',
  )
}

async function doctor(cli: Cli): Promise<void> {
  const { home, storage } = await readConfiguration(cli)
  const findings: Finding[] = []
  const url = typeof storage.value === 'string' ? storage.value : undefined
  // One that was named is expected to exist; the default one may not have been needed yet.
  if (url !== undefined && storage.source !== 'default') assertExists(url)
  if (url === undefined || !isMissing(url)) {
    try {
      await withStore(cli, storage.value, async (store) => {
        for await (const finding of diagnoseStore(store)) findings.push(finding)
      })
    } catch (error) {
      if (!isMinionsError(error) || error.code !== 'STORAGE_CORRUPT') throw error
      findings.push({
        kind: 'damaged',
        where: (url && localPath(url)) ?? 'the store',
        message: `${error.code}: ${error.message}`,
      })
    }
  }
  if (cli.options.storage === undefined && (await hasWorkspaces(home.value))) {
    for await (const finding of diagnoseWorkspaces(home.value)) findings.push(finding)
  }
  print(cli, findings, () => text(findings))
  if (findings.length > 0) cli.exitCode = 1
}

function text(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'Nothing is wrong.'
  const lines = findings.map(({ kind, where, message }) => oneLine(`${kind} in ${where}: ${message}`))
  return [...lines, '', `${findings.length} ${findings.length === 1 ? 'thing is' : 'things are'} wrong.`].join('\n')
}
