import { everyPage, type Minions } from '@minions/core'
import { type Access, runOperation } from '@minions/core/operations'
import { type ApiKey, createKey, listKeys, revokeKey } from '@minions/server/plugin'
import type { Cli } from '../cli.js'
import { confirm, required } from '../input/confirm.js'
import { pick } from '../input/references.js'
import { withOperations } from '../operations/operations-app.js'
import { note, print, printTable, write } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { collect, given, wholeNumber } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

export function register(program: Command, cli: Cli): void {
  const keys = program.command('keys')
  addCommand(keys, 'create', 'create a key and print it; it is never shown again')
    .examples(
      'keys create --owner ada --scope read --scope write',
      'keys create --owner ada --scope admin --tenant acme --expires 2099-12-31',
    )
    .createsStore()
    .option('--owner <who>', 'its user, the author of every change made with it')
    .option('--name <text>', 'what it is for')
    .option('--scope <access>', 'read, write, approve or admin (read); may be repeated', collect)
    .option(
      '--namespace <area>',
      'an area whose operations it may run, such as prompts (all); may be repeated',
      collect,
    )
    .option('--tenant <tenant>', 'the tenant it is confined to')
    .option('--shared <area>', 'an area shared by all tenants that it may use as well; may be repeated', collect)
    .option('--expires <date>', 'when it expires, such as 2030-01-31 (never)')
    .option('--by <who>', 'who creates it')
    .action(async (options) => {
      const { name, scope = ['read'], namespace, tenant, shared, expires, by } = options
      const owner = await required(cli, options.owner, '--owner <who>', 'Who uses the key?')
      await withOperations(cli, async (app) => {
        const more = given({ name, namespaces: namespace, tenant, shared, expiresAt: expires })
        // The operation validates the scopes.
        const result = await runOperation(app, createKey, { owner, scopes: scope as Access[], ...more }, { by })
        if (cli.options.json) return print(cli, result, () => '')
        note(cli, 'This is the key. It is shown only once; the store keeps a hash of it.')
        write(cli, result.key)
      })
    })
  addCommand(keys, 'list', 'list the keys, without their secrets')
    .examples('keys list --json')
    .option('--owner <who>', 'only those of one owner')
    .option('--tenant <tenant>', 'only those of one tenant')
    .option('--limit <n>', 'maximum number of keys to show (100)', wholeNumber(1))
    .on(cli, withOperations, async (app, { tenant, ...filter }) => {
      const { items } = await runOperation(app, listKeys, filter, { tenant })
      printTable(cli, items, 'There are no keys.', {
        id: 'id',
        owner: 'owner',
        scopes: (key) => key.scopes.join(', '),
        namespaces: (key) => key.namespaces?.join(', ') ?? 'all',
        tenant: 'tenant',
        state: stateOf,
        'last used': 'lastUsedAt',
        name: 'name',
      })
    })
  addCommand(keys, 'revoke', 'revoke a key, or all keys of an owner, at once')
    .examples('keys revoke --owner ada')
    .argument('[id]', 'id, id prefix, or name of a key')
    .option('--owner <who>', 'all keys of this owner')
    .option('--by <who>', 'who revokes it')
    .action(async (reference, { owner, by }) => {
      if ((reference === undefined) === (owner === undefined)) throw new UsageError('give the id of a key, or --owner')
      await withOperations(cli, async (app) => {
        const id = reference === undefined ? undefined : await keyMeant(app, reference)
        await confirm(cli, id === undefined ? `Revoke all keys of ${owner}?` : `Revoke the key ${id}?`)
        const { revoked } = await runOperation(app, revokeKey, given({ id, owner }), { by })
        print(cli, { revoked }, () => `Revoked ${revoked.length} ${revoked.length === 1 ? 'key' : 'keys'}.`)
      })
    })
}

/** The id of a key from its id, a prefix or its name. */
async function keyMeant(app: Minions, reference: string): Promise<string> {
  const keys = await everyPage(async (page) => {
    const { items, nextCursor } = await runOperation(app, listKeys, page)
    return { items, nextCursor }
  })
  return pick(reference, keys, { what: 'a key', list: 'minions keys list', named: (key) => key }).id
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return `revoked ${revokedAt}`
  if (expiresAt === undefined) return 'valid'
  return Date.parse(expiresAt) > Date.now() ? `until ${expiresAt}` : `expired ${expiresAt}`
}
