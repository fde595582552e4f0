import { extensionPoint } from '@minions/core/plugin'
import type { Approval, ApprovalEvent } from '../approvals/record.js'

/** A notification about an approval. */
export interface ApprovalNotification {
  /** The same for every attempt to deliver it. */
  readonly id: string
  readonly event: Exclude<ApprovalEvent['kind'], 'refused'>
  readonly at: string
  readonly by: string | null
  /** The approval as it was then. */
  readonly approval: Approval
}

/** Notifies people about approvals: by mail, chat, a page. */
export interface ApprovalNotifier {
  /** Name of the notifier; its pending notifications are stored under this name. */
  readonly name: string
  /** Throws if the notification could not be delivered; it is then retried later, even after a restart. */
  notify(notification: ApprovalNotification, context: { readonly signal: AbortSignal }): void | Promise<void>
}

/** Extension point for plugins that notify people about approvals. */
export const approvalNotifiers = extensionPoint<ApprovalNotifier>('@minions/approvals/notifiers', {
  key: ({ name }) => name,
  check: (value) => {
    const { name, notify } = (value ?? {}) as Partial<ApprovalNotifier>
    if (typeof name === 'string' && name !== '' && typeof notify === 'function') return undefined
    return 'a notifier needs a `name` and a function `notify`'
  },
})
