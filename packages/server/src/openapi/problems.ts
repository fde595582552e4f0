const problem = { $ref: '#/components/responses/Problem' }

/** Responses that every path may give. */
export const problems = { '4XX': problem, '5XX': problem }
