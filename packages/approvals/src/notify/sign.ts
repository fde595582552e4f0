import { createHmac, timingSafeEqual } from 'node:crypto'
import { guarded } from '@minions/core/plugin'
import { approvalsError } from '../errors.js'

/** Headers of a signed webhook, as Standard Webhooks names them. */
export interface WebhookHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

export interface VerifyOptions {
  /** Seconds since 1970; now by default. */
  readonly now?: number
  /** Maximum clock difference and age of a message in seconds; 300 by default. */
  readonly tolerance?: number
}

/** Signs a message according to Standard Webhooks: HMAC-SHA256 of its id, time and body. */
export const signWebhook = guarded('signWebhook', signWebhookUnchecked)

function signWebhookUnchecked(secret: string, id: string, seconds: number, body: string): WebhookHeaders {
  const time = String(Math.floor(seconds))
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${mac(secret, `${id}.${time}.${body}`)}`,
  }
}

/** Throws `SIGNATURE_INVALID` unless a message was signed recently with the secret. */
export const verifyWebhook = guarded('verifyWebhook', verifyWebhookUnchecked)

function verifyWebhookUnchecked(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  { now = Date.now() / 1000, tolerance = 300 }: VerifyOptions = {},
): void {
  const { 'webhook-id': id, 'webhook-timestamp': time = '', 'webhook-signature': given = '' } = headers
  if (id === undefined || !/^\d{1,12}$/.test(time)) throw invalid('has no id or no time')
  if (Math.abs(now - Number(time)) > tolerance) throw invalid('is too old, or the clocks differ')
  const expected = Buffer.from(mac(secret, `${id}.${time}.${body}`))
  const signatures = given.split(' ').flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3))] : []))
  const isSigned = signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected))
  if (!isSigned) throw invalid('was not signed with this secret')
}

function mac(secret: string, text: string): string {
  return createHmac('sha256', keyOf(secret)).update(text).digest('base64')
}

/** A secret is `whsec_` and base64, as in Standard Webhooks, or any other string, used as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

function invalid(what: string): Error {
  return approvalsError('SIGNATURE_INVALID', `The webhook ${what}.`)
}
