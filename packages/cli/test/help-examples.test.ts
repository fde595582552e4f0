import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../src/program/catalogue.js'
import { createProgram } from '../src/program/program.js'
import { Minions } from './support/minions.js'

/** All commands that do something, below a command. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

function examplesOf(command: Command): string[] {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  return [...text.matchAll(/^ {2}\$ minions (.+)$/gm)].map(([, line = '']) => line)
}

/** The words of a command line up to the first pipe or redirection, without their quotes. */
function wordsOf(line: string): string[] {
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
  const end = words.findIndex((word) => ['|', '>', '>>'].includes(word))
  return words.slice(0, end < 0 ? words.length : end).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'))
}

/** Fills in what a note needs, and changes the title of anything. */
const EDITOR = `sed -i -e 's/title: .*/title: Edited/' -e 's/content: ""/content: Written/'`

const names = Object.values(catalogue).flatMap((commands) => Object.keys(commands))

describe('the examples of the help', () => {
  it.each(names)('of %s are command lines that it understands', async (name) => {
    const { program } = await createProgram([name])
    const command = program.commands.find((each) => each.name() === name) as Command
    const run: string[] = []
    for (const leaf of leavesOf(command)) {
      leaf.action(() => {
        run.push(leaf.name())
      })
    }
    for (const leaf of leavesOf(command)) {
      for (const line of examplesOf(leaf)) {
        run.length = 0
        await program.parseAsync(wordsOf(line), { from: 'user' })
        expect([line, run]).toEqual([line, [leaf.name()]])
      }
    }
  })

  describe('run', () => {
    const minions = new Minions()
    let ids: string[] = []

    beforeAll(async () => {
      writeFileSync(minions.path('hello.md'), '# Hello\n')
      ids = await Promise.all(
        ['A', 'B'].map(async (title) => (await minions.json(['create', 'task', '--title', title])).id),
      )
    })

    // In this order each finds what it needs.
    const objects = [
      'create',
      'get',
      'list',
      'search',
      'update',
      'link',
      'unlink',
      'tree',
      'graph',
      'delete',
      'restore',
    ]
    it.each([...objects, 'purge', 'types list', 'types show'])('without an error or a warning: %s', async (path) => {
      const words = path.split(' ')
      const { program } = await createProgram(words)
      const leaf = words.reduce<Command>(
        (command, word) => command.commands.find((each) => each.name() === word) as Command,
        program,
      )
      const examples = examplesOf(leaf)
      expect(examples.length).toBeGreaterThan(0)
      for (const line of examples) {
        const named = wordsOf(line).map((word) =>
          word.startsWith('0b0e4f0a') ? ids[0] : word === '7f1c22d9-…' ? ids[1] : word,
        )
        // The id of a relation that a user has, as opposed to its ends.
        if (named.includes('51a0c7aa-…')) continue
        const { code, stderr } = await minions.here(named as string[], { env: { EDITOR } })
        expect({ line, code, stderr: stderr.replace(/^It is deleted; .*\n$/, '') }).toEqual({
          line,
          code: 0,
          stderr: '',
        })
      }
    })
  })
})
