import { readFileSync } from 'node:fs'
import { Client, escapeIdentifier } from 'pg'
import type { Contents } from '../../../../tools/torture/old-store.mjs'

const recorded = readFileSync(new URL('./layout-1.sql', import.meta.url), 'utf8')

/** Makes a store of layout 1, with so many copies of its first minion and a relation from each to the next. */
export async function makeOldStore(url: string, schema: string, copies: number): Promise<Contents> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(`BEGIN; SET LOCAL search_path = ${escapeIdentifier(schema)}`)
    await client.query(recorded.replaceAll('"layout 1"', escapeIdentifier(schema)))
    await multiply(client, copies)
    const contents = await readOldStore(client)
    await client.query('COMMIT')
    return contents
  } finally {
    await client.end()
  }
}

async function multiply(client: Client, copies: number): Promise<void> {
  const key = "key || '-' || n"
  const doc = `jsonb_build_object('id', ${key}, 'title', 'Copy ' || n, 'tags', '["copied"]'::jsonb, 'searchableText', 'copy ' || n)`
  const first = '(SELECT * FROM minions_v1 ORDER BY key LIMIT 1) m'
  await client.query(`
    INSERT INTO minions_v1 (key, revision, doc, column_0, column_1, column_3, column_4, column_5, words_1)
      SELECT ${key}, revision || '-' || n, doc || ${doc}, column_0, column_1, column_3, column_4, column_5,
        array_to_tsvector(ARRAY['copy', n::text])
      FROM ${first}, generate_series(1, ${copies}) n;
    INSERT INTO relations_v1 (key, revision, doc, column_0, column_1, column_2, column_3, reference_0, reference_1)
      SELECT r.key || '-' || n, r.revision || '-' || n,
        r.doc || jsonb_build_object('id', r.key || '-' || n, 'sourceId', source, 'targetId', target),
        source, target, column_2, column_3, source, target
      FROM (SELECT * FROM relations_v1 ORDER BY key LIMIT 1) r,
        (SELECT n, m.key || '-' || n AS source, m.key || '-' || (n + 1) AS target
          FROM (SELECT min(key) AS key FROM minions_v1) m, generate_series(1, ${copies - 1}) n) s`)
}

async function readOldStore(client: Client): Promise<Contents> {
  const { rows } = await client.query("SELECT name, declaration ->> 'version' AS version FROM _catalogue ORDER BY name")
  const contents: Contents = new Map()
  for (const { name, version } of rows as { name: string; version: string }[]) {
    const { rows: records } = await client.query(`SELECT key, revision, doc FROM ${name}_v${version}`)
    contents.set(name, new Map(records.map(({ key, revision, doc }) => [key, { record: doc, revision }])))
  }
  return contents
}
