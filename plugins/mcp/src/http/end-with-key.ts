import type { Caller, ServerApi } from '@minions/server/plugin'

/** Longest delay of a timer. */
const LONGEST = 2 ** 31 - 1

/** Watches over the key of a caller: `end` is called when it expires, and `check` when it may have been revoked. */
export function endWithKey({ key, expiresAt }: Caller, server: ServerApi | undefined, end: () => void) {
  const remaining = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now()
  const timer = remaining <= LONGEST ? setTimeout(end, Math.max(0, remaining)).unref() : undefined
  return {
    check() {
      if (key === undefined || !server) return
      server.keys.isUsable(key).then(
        (isUsable) => isUsable || end(),
        // A key that cannot be checked opens nothing.
        end,
      )
    },
    stop: () => clearTimeout(timer),
  }
}
