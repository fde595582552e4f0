/** Skills for the examples of operations. They have no code; a fallback provides their results. */
export const exampleSkills = [
  'skills.register',
  {
    skills: [
      {
        name: 'navigate',
        version: '1.0.0',
        description: 'Drives to a location.',
        parameters_schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
        tags: ['motion'],
      },
      {
        name: 'patrol',
        version: '1.0.0',
        description: 'Visits a location, or reports that it cannot be reached.',
        parameters_schema: { type: 'object', properties: { area: { type: 'string' } }, required: ['area'] },
        steps: [
          {
            skill: 'navigate',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference that the runtime resolves
            input: { location: '${params.area}' },
            onError: { fallback: { status: 'unreachable' } },
          },
        ],
      },
    ],
  },
] as const

/** A subagent that waits for a skill. */
export const exampleAgent = ['agents.spawn', { name: 'scout' }] as const

/** A subagent that has run a skill. */
export const exampleRun = ['skills.run', { skill: 'patrol', params: { area: 'kitchen' }, name: 'scout' }] as const
