const DRAFT = 'minions-studio-draft '

/** What was typed under a name and not saved, also after a reload; undefined if there is nothing. */
export function readDraft<Draft>(name: string): Draft | undefined {
  const stored = sessionStorage.getItem(DRAFT + name)
  return stored === null ? undefined : (JSON.parse(stored) as Draft)
}

/** Keeps what was typed for as long as the tab is open; nothing is kept any more of undefined. */
export function keepDraft(name: string, draft: object | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(DRAFT + name)
    else sessionStorage.setItem(DRAFT + name, JSON.stringify(draft))
  } catch {
    // A draft beyond what a browser stores lives as long as the page; an older one must not come back in its place.
    sessionStorage.removeItem(DRAFT + name)
  }
}
