/** Settings of an operator for all missions. */
export interface PolicyConfig {
  /**
   * The tools that missions of a sensitivity class may use at all. A class that is not listed is not restricted here;
   * list it with no tools to forbid them all.
   */
  readonly toolsBySensitivity?: Readonly<Record<string, readonly string[]>>
  /** True if a task needs a librarian pass to use tools. Default: only an expired one prevents it. */
  readonly requirePass?: boolean
  /** True if a proposal with `requires_approval: false` may be applied without a decision. Default: false. */
  readonly allowUnapprovedWriteback?: boolean
}
