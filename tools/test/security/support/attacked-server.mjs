// @ts-check
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { exampleMission } from '@minions/colony'
import { runOperation } from '@minions/core/operations'
import { serve } from '@minions/server'

/** @import { ServedApp } from '@minions/server' */

/** Words that belong to the rival, and must not be in any answer to others. */
export const SECRET = 'RIVAL-SECRET'

/**
 * A server with two tenants, each with a mission, and keys of all kinds.
 *
 * @param {ServedApp} app
 */
export async function attackedServer(app) {
  const running = await serve(app, { port: 0, rateLimit: false, failureLimit: false })
  const envelope = (/** @type {string} */ tenant_id, /** @type {string} */ goal) => ({
    ...exampleMission.envelope,
    mission_id: randomUUID(),
    tenant_id,
    user_goal: goal,
  })
  const mission = async (/** @type {string} */ tenant, /** @type {string} */ goal) => {
    const sent = envelope(tenant, goal)
    await runOperation(app, 'missions.run', { envelope: sent }, { tenant, by: 'root' })
    return sent.mission_id
  }
  const acmeMission = await mission('acme', 'Ours.')
  const rivalMission = await mission('rival', SECRET)
  const { items } = /** @type {{ items: { proposal: { proposal_id: string } }[] }} */ (
    /** @type {unknown} */ (await runOperation(app, 'proposals.list', { mission: rivalMission }, { tenant: 'rival' }))
  )
  await runOperation(app, 'objects.create', { type: 'note', id: 'private', title: SECRET, fields: { content: SECRET } })
  const run = app.server.runs.begin(
    { operation: { ...exampleOperation, name: 'missions.run' }, by: 'eve', tenant: 'rival' },
    async () => ({ result: SECRET }),
  )
  await run.record()
  await app.server.runs.settle(1000)

  /** @param {Partial<Parameters<ServedApp['server']['keys']['create']>[0]>} grant */
  const key = async (grant) => app.server.keys.create({ owner: 'mallory', scopes: ['read'], ...grant })
  // The rival has put an artifact with an idempotency key, and has its answer.
  const rivalAnswer = randomUUID()
  const rival = await key({ owner: 'eve', scopes: ['write'], tenant: 'rival' })
  await fetch(`${running.url}/api/operations/artifacts.put`, {
    method: 'POST',
    body: JSON.stringify({ artifacts: [envelope('rival', SECRET)] }),
    headers: {
      authorization: `Bearer ${rival.key}`,
      'content-type': 'application/json',
      'idempotency-key': rivalAnswer,
    },
  })
  const revoked = await key({ scopes: ['admin'] })
  await app.server.keys.revoke(revoked.record.id)
  const expired = await key({ scopes: ['admin'], expiresAt: new Date(Date.now() + 20).toISOString() })
  await new Promise((resolve) => setTimeout(resolve, 30))
  return {
    running,
    rivalMission,
    acmeMission,
    rivalProposal: String(items[0]?.proposal.proposal_id),
    rivalRun: run.id,
    rivalAnswer,
    envelope,
    keys: {
      read: await key({}),
      write: await key({ scopes: ['write'] }),
      approve: await key({ scopes: ['approve'] }),
      admin: await key({ scopes: ['admin'], owner: 'root' }),
      prompts: await key({ scopes: ['admin'], namespaces: ['prompts', 'keys'] }),
      acme: await key({ scopes: ['admin'], tenant: 'acme' }),
      shared: await key({ scopes: ['write'], tenant: 'acme', shared: ['prompts'] }),
      revoked,
      expired,
    },
  }
}

/** Operation as a run needs to know it. @type {import('@minions/core/operations').Operation} */
const exampleOperation = /** @type {never} */ ({ access: 'write', perTenant: true })

/**
 * Sends bytes as they are, and gives the status and body that come back.
 *
 * @param {number} port
 * @param {string} text
 */
export async function sendRaw(port, text) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.end(text, 'latin1')
  await once(socket, 'close')
  const [head = '', ...body] = answer.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), body: body.join('\r\n\r\n') }
}
