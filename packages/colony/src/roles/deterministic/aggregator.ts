import { compareCodePoints } from '@minions/core/json'
import type { RoleHandler } from '../role.js'

/** All results in one brief, the most urgent first, each claim with the result and the lead that support it. */
export const aggregate: RoleHandler<'aggregator'> = ({ read }) => {
  const results = read('worker_result')
    .map(({ result_id, output_text, structured_output = {}, confidence }) => ({
      result_id,
      output_text,
      confidence,
      lead: typeof structured_output.lead_id === 'string' ? structured_output.lead_id : undefined,
      score: typeof structured_output.score === 'number' ? structured_output.score : 0,
      action: String(structured_output.recommended_action ?? 'none'),
      priority: String(structured_output.priority ?? 'low'),
    }))
    .sort((a, b) => b.score - a.score || compareCodePoints(a.result_id, b.result_id))
  const urgent = results.filter(({ priority }) => priority === 'high')
  return {
    summary: `${urgent.length} of ${results.length} prospects are urgent. ${results.map(({ output_text }) => output_text).join(' ')}`,
    evidence_matrix: results.map(({ result_id, lead, priority, output_text }) => ({
      claim: lead === undefined ? output_text : `Lead ${lead} is of ${priority} priority`,
      support_refs: [result_id, ...(lead === undefined ? [] : [lead])],
    })),
    contradictions: [],
    coverage_gaps: results
      .filter(({ confidence }) => confidence < 0.5)
      .map(({ result_id }) => `${result_id} is a guess`),
    recommended_output: {
      format: 'structured_brief',
      actions: results
        .filter(({ lead }) => lead !== undefined)
        .map(({ lead = '', action, priority, score }) => ({ lead_id: lead, action, priority, score })),
    },
  }
}
