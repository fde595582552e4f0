// @ts-check
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runOperation } from '@minions/core/operations'
import { defineSkill } from '@minions/skills-runtime'
import { openEveryPlugin } from '../../operations/app.mjs'
import { memoryModel } from './memory-model.mjs'

/** @import { EveryApp } from '../../operations/app.mjs' */

/** What arguments are taken from: an app with every plugin, a folder, and records to refer to. */
export class World {
  /** @param {EveryApp} app @param {string} folder @param {() => Promise<void>} close */
  constructor(app, folder, close) {
    this.app = app
    this.folder = folder
    this.close = close
    this.count = 0
  }

  static async open() {
    const { app, folder, close } = await openEveryPlugin(memoryModel())
    const world = new World(app, folder, close)
    const echo = defineSkill({
      name: 'echo',
      version: '1.0.0',
      description: 'Says what it is told.',
      parameters_schema: { type: 'object', properties: { text: { type: 'string' } } },
      execute: (params) => ({ said: String(params.text) }),
    })
    app.skills.registry.registerSkill(echo)
    return world
  }

  /** A name that no record has yet. @param {string} [prefix] */
  name(prefix = 'name') {
    return `${prefix}-${++this.count}`
  }

  /** A path that does not exist yet, in a folder that does. */
  path() {
    mkdirSync(this.folder, { recursive: true })
    return join(this.folder, this.name('file'))
  }

  task() {
    return this.app.create('task', { title: 'Sweep the yard', tags: ['yard'] })
  }

  async taskId() {
    return (await this.task()).id
  }

  prompt() {
    return this.app.prompts.create({ title: this.name('Prompt'), content: 'Hello {{name}}' })
  }

  async promptId() {
    return (await this.prompt()).id
  }

  async agentId() {
    return (await this.app.skills.spawn({ name: this.name('agent') })).agent_id
  }

  workspace() {
    return this.app.workspace.add({ name: this.name('Workspace') })
  }

  /** Runs what an example of an operation needs. @param {import('@minions/core/operations').OperationExample} example */
  async prepare({ given = [], by, tenant }) {
    for (const [name, input] of given) await runOperation(this.app, name, input, { by, tenant })
  }
}
