/** Checks of the official suite that do not pass, each with the reason. Whatever else fails is a mistake of ours. */
export const SERVER_EXCEPTIONS: Readonly<Record<string, string>> = {
  'http-custom-header-server-validation':
    'Pending in the suite itself. It needs a tool with `x-mcp-header`, and operations have none: nothing of their inputs belongs into a header.',
}

/** Scenarios in which the suite checks nothing, each with the reason. */
export const EMPTY_SCENARIOS: Readonly<Record<string, string>> = {
  'tasks-status-notifications':
    'The suite skips it: it says that it must be rewritten for the stream on which such notifications are sent now.',
}
