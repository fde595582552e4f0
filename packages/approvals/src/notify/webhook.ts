import { MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { approvalsError } from '../errors.js'
import type { ApprovalNotification, ApprovalNotifier } from './notifier.js'
import { signWebhook } from './sign.js'

export interface WebhookOptions {
  /** `https://…`, or `http://…`. */
  readonly url: string
  /** Signs every message, so that the receiver can verify its origin. At least 16 characters. */
  readonly secret: string
  /** Events to send; all by default. */
  readonly events?: readonly ApprovalNotification['event'][]
  /** True to send arguments; they may be confidential, so by default only their hash is sent. */
  readonly includeArguments?: boolean
  /** Name of the webhook; the address without its query by default. */
  readonly name?: string
}

const SHORTEST_SECRET = 16

/** Posts JSON to an address, signed according to Standard Webhooks. A message not answered with 2xx is sent again. */
export const webhook = guarded('webhook', webhookUnchecked)

function webhookUnchecked({ url, secret, events, includeArguments = false, name }: WebhookOptions): ApprovalNotifier {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw invalid('`url` must be an http or https address')
  if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET) {
    throw invalid(`\`secret\` needs at least ${SHORTEST_SECRET} characters; generate one with: openssl rand -base64 32`)
  }
  return {
    name: name ?? `webhook ${address.origin}${address.pathname}`,
    async notify(notification, { signal }) {
      if (events !== undefined && !events.includes(notification.event)) return
      const body = JSON.stringify(payloadOf(notification, includeArguments))
      const headers = signWebhook(secret, notification.id, Date.now() / 1000, body)
      // A redirect could lead anywhere, so it is not followed.
      const response = await fetch(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal,
      })
      await response.body?.cancel()
      if (!response.ok)
        throw approvalsError('WEBHOOK_FAILED', `${address.origin} answered with status ${response.status}.`)
    },
  }
}

/** The body: type, time and data, as Standard Webhooks recommends. */
function payloadOf({ event, at, by, approval }: ApprovalNotification, includeArguments: boolean) {
  if (includeArguments) return { type: `approval.${event}`, timestamp: at, data: { by, approval } }
  const { arguments: _arguments, ...call } = approval.call
  const edit = approval.edit && { arguments_hash: approval.edit.arguments_hash }
  return { type: `approval.${event}`, timestamp: at, data: { by, approval: { ...approval, call, edit } } }
}

function invalid(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The webhook cannot be used: ${what}.`)
}
