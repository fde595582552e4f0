/** Priority of a rule; higher numbers come first. */
export const RulePriority = {
  LOW: 1,
  MEDIUM: 2,
  HIGH: 3,
  CRITICAL: 4,
} as const

export type RulePriority = (typeof RulePriority)[keyof typeof RulePriority]
