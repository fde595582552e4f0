/** The keys of one prefix. The braces keep them on one node of a Redis cluster. */
export class ClusterKeys {
  readonly base: string
  readonly members: string
  readonly cluster: string

  constructor(prefix: string) {
    this.base = `{${prefix}}`
    this.members = `${this.base}:members`
    this.cluster = `${this.base}:cluster`
  }

  inbox(member: string): string {
    return `${this.base}:inbox:${member}`
  }
}
