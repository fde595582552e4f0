import type { JsonValue } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import type { Tools } from '../roles/role.js'
import { type ExampleMission, exampleMission } from './example-mission.js'

/** The tools of the example, which read only its data. */
export const exampleTools = guarded('exampleTools', exampleToolsUnchecked)

function exampleToolsUnchecked({ leads, reports }: Pick<ExampleMission, 'leads' | 'reports'> = exampleMission): Tools {
  return {
    crm_search: ({ lead_id }): JsonValue => {
      const lead = leads.find((each) => each.lead_id === lead_id)
      return lead === undefined ? null : { ...lead }
    },
    local_property_rag: ({ query }): JsonValue => {
      const words = String(query ?? '').toLowerCase()
      const hits = ['marina', 'beach', 'canal', 'waterfront'].filter((word) => words.includes(word))
      return hits.map((word) => `Inventory has ${word} units.`)
    },
    external_search: (): JsonValue => reports.map((report) => ({ ...report })),
  }
}
