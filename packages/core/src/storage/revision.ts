let prefix: string | undefined
let count = 0

/** A revision that no write ever had: a random prefix for this process and a counter. Backends only store it. */
export function newRevision(): string {
  prefix ??= randomPrefix()
  count += 1
  return prefix + count.toString(36)
}

function randomPrefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}-`
}
