/** A BullMQ queue name, which may not contain a colon. */
export function queueKey(name: string): string {
  return name.replaceAll('%', '%25').replaceAll(':', '%3A')
}

/** The name of a queue: the skill and version that jobs wait for, and their tags. */
export function queueName(queue: string, tagKey: string): string {
  return tagKey === '' ? queue : `${queue} [${tagKey}]`
}
