/** What an operator decides once, for all missions. */
export interface PolicyConfig {
  /**
   * The tools that missions of a sensitivity class may use at all. A class that is not listed is not restricted here;
   * list it with no tools to forbid them all.
   */
  readonly toolsBySensitivity?: Readonly<Record<string, readonly string[]>>
  /** Whether a task needs a librarian pass to use tools; by default only an expired one stands in the way. */
  readonly requirePass?: boolean
  /** Whether a proposal with `requires_approval: false` may be applied without a decision; by default it may not. */
  readonly allowUnapprovedWriteback?: boolean
}
