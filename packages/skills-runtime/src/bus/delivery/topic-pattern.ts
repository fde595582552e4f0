import { isId } from '@minions/core'
import { assertValid, attributeIssue } from '../../validation.js'

export type TopicMatch = (topic: string) => boolean

/** True if a string is a pattern rather than a topic: one of its segments is `*` or `**`. */
export function isPattern(text: string): boolean {
  return text.split('.').some((segment) => segment === '*' || segment === '**')
}

/**
 * Compiles a pattern. Topics are segments between dots; `*` stands for exactly one segment, `**` for any number of
 * them, including none.
 */
export function compilePattern(pattern: string | RegExp): TopicMatch {
  if (pattern instanceof RegExp) {
    // A sticky or global expression would keep its last index.
    const plain = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
    return (topic) => plain.test(topic)
  }
  const wanted = pattern.split('.')
  return (topic) => matches(wanted, topic.split('.'))
}

export function assertSubscribable(pattern: unknown, subscriber: unknown): void {
  const isTopic = pattern instanceof RegExp || (typeof pattern === 'string' && pattern !== '')
  const isSubscriber = typeof subscriber === 'function' || isId(subscriber)
  assertValid('The subscription', [
    ...(isTopic ? [] : [attributeIssue('topic', 'TYPE', 'must be a topic, a pattern such as "a.*", or a RegExp')]),
    ...(isSubscriber ? [] : [attributeIssue('handler', 'TYPE', 'must be a function, or the id of an agent')]),
  ])
}

/** Backtracks to the last `**` only, so it takes at most the product of both lengths. */
function matches(wanted: readonly string[], topic: readonly string[]): boolean {
  let at = 0
  let position = 0
  let anyAt = -1
  let anyPosition = 0
  while (position < topic.length) {
    const segment = wanted[at]
    if (segment === '**') {
      anyAt = at++
      anyPosition = position
    } else if (segment !== undefined && (segment === '*' || segment === topic[position])) {
      at++
      position++
    } else if (anyAt >= 0) {
      at = anyAt + 1
      position = ++anyPosition
    } else {
      return false
    }
  }
  while (wanted[at] === '**') at++
  return at === wanted.length
}
