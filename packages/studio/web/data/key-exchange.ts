import { readKey, storeKey } from './session.ts'

/** Where the tabs of this page hear each other; tabs of other origins do not. */
const CHANNEL = 'minions-studio'

/** Milliseconds that a new tab waits for another one to answer. */
const PATIENCE = 300

/**
 * Gets the key from another tab of the same page, so that a link can be opened in a new tab. Resolves without one if no
 * other tab has it.
 */
export function borrowKey(): Promise<void> {
  if (readKey() !== undefined) return Promise.resolve()
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const end = () => {
      clearTimeout(timer)
      channel.close()
      resolve()
    }
    const timer = setTimeout(end, PATIENCE)
    channel.onmessage = ({ data }) => {
      if (typeof data?.key !== 'string') return
      storeKey(data.key)
      end()
    }
    channel.postMessage({ wanted: true })
  })
}

/** Gives the key of this tab to new ones that ask for it. */
export function lendKey(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    const key = readKey()
    if (data?.wanted === true && key !== undefined) channel.postMessage({ key })
  }
}
