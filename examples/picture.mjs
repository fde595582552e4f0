// @ts-check
// Draws the graph of the example mission: `node examples/picture.mjs` writes examples/mission.svg; with `--check` it says
// whether the file is up to date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { toDot } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { instance } from '@viz-js/viz'

const file = fileURLToPath(new URL('mission.svg', import.meta.url))
const svg = await draw()
if (!argv.includes('--check')) writeFileSync(file, svg)
else if (readFileSync(file, 'utf8') !== svg) {
  console.error('examples/mission.svg is out of date; run node examples/picture.mjs')
  process.exitCode = 1
}

async function draw() {
  const configDir = mkdtempSync(join(tmpdir(), 'minions-picture-'))
  const roles = deterministicRoles()
  const app = await createMinions({
    storage: 'memory:',
    plugins: [prompts(), workspace({ configDir }), colonyContracts(), skills(), colony({ roles })],
  })
  try {
    const { tasks } = await app.colony.run(exampleMission.envelope)
    const viz = await instance()
    const svg = viz.renderString(diagramOf(tasks), { format: 'svg' })
    return svg.slice(svg.indexOf('<svg')).replace(/^<svg[^>]*>/, `$&\n<title>The tasks of the example mission</title>`)
  } finally {
    await app.close()
    rmSync(configDir, { recursive: true })
  }
}

/** @param {readonly import('@minions/colony').TaskProgress[]} tasks */
function diagramOf(tasks) {
  const nodes = tasks.map(({ task_id, role_type }) => ({
    id: task_id,
    label: `${task_id}\n${role_type}`,
    state: role_type,
  }))
  const edges = direct(tasks).map(([from, to]) => ({ from, to }))
  const colour = (/** @type {string} */ fill) => ({ fill, stroke: '#4b5563', text: '#111827' })
  return toDot(
    { nodes, edges, direction: 'LR' },
    {
      styles: {
        prompt_master: colour('#e0e7ff'),
        librarian: colour('#dcfce7'),
        researcher: colour('#fef9c3'),
        worker: colour('#dbeafe'),
        aggregator: colour('#fae8ff'),
        reviewer: colour('#fee2e2'),
      },
    },
  )
}

/**
 * The arrows without those that follow from others.
 *
 * @param {readonly import('@minions/colony').TaskProgress[]} tasks
 */
function direct(tasks) {
  const byId = new Map(tasks.map((task) => [task.task_id, task.depends_on]))
  /** @param {string} from @param {string} to @returns {boolean} */
  const reaches = (from, to) => (byId.get(to) ?? []).some((id) => id === from || reaches(from, id))
  return tasks.flatMap(({ task_id, depends_on }) =>
    depends_on
      .filter((id) => !depends_on.some((other) => other !== id && reaches(id, other)))
      .map((id) => /** @type {[string, string]} */ ([id, task_id])),
  )
}
