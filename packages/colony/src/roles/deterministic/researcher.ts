import type { ExampleReport } from '../../example/example-mission.js'
import type { RoleHandler } from '../role.js'

/** The results of the search tool, with the time of the search. */
export const research: RoleHandler<'researcher'> = async ({ envelope, task }, context) => {
  const query = envelope.normalized_goal
  const mayUse = task.allowed_tools.includes('external_search') && context.hasTool('external_search')
  const found = mayUse ? await context.tool('external_search', { query }) : []
  const reports = (Array.isArray(found) ? found : []) as readonly ExampleReport[]
  return {
    provider: 'external_search',
    query,
    results: reports.map(({ title, url, snippet, confidence }) => ({
      title,
      url,
      snippet,
      source_type: 'web',
      retrieved_at: context.now,
      confidence,
    })),
  }
}
