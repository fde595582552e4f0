import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Contents } from '../../../../tools/torture/old-store.mjs'

const recorded = readFileSync(new URL('./layout-1.sql', import.meta.url), 'utf8')

/** Makes a store of layout 1, with so many copies of its first minion and a relation from each to the next. */
export function makeOldStore(path: string, copies: number): Contents {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.transaction(() => {
    database.exec(recorded)
    multiply(database, copies)
  })()
  const contents = readOldStore(database)
  database.close()
  return contents
}

function multiply(database: Database.Database, copies: number): void {
  database.exec(`
    CREATE TEMP TABLE numbers AS WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${copies}) SELECT n FROM n;
    CREATE TEMP TABLE first AS SELECT * FROM c_minions WHERE id = 1;
    INSERT INTO c_minions (id, key, revision, doc, column_0, column_1, column_3, column_4, column_5)
      SELECT 1000 + n, key || '-' || n, revision || '-' || n, json_set(doc, '$.id', key || '-' || n, '$.title', 'Copy ' || n),
        column_0, column_1, column_3, column_4, column_5 FROM first, numbers;
    INSERT INTO l2_minions (element, record) SELECT 'copied', 1000 + n FROM numbers;
    INSERT INTO t_minions (rowid, words) SELECT 1000 + n, 'copy ' || n FROM numbers;
    UPDATE c_minions SET doc = json_set(doc, '$.tags', json('["copied"]'), '$.searchableText', 'copy ' || (id - 1000)) WHERE id > 1000;
    CREATE TEMP TABLE link AS SELECT * FROM c_relations WHERE id = 1;
    INSERT INTO c_relations (id, key, revision, doc, column_0, column_1, column_2, column_3, reference_0, reference_1)
      SELECT 1000 + n, link.key || '-' || n, revision || '-' || n,
        json_set(doc, '$.id', link.key || '-' || n, '$.sourceId', m.key || '-' || n, '$.targetId', m.key || '-' || (n + 1)),
        m.key || '-' || n, m.key || '-' || (n + 1), link.column_2, link.column_3, m.key || '-' || n, m.key || '-' || (n + 1)
      FROM link, (SELECT key FROM first) m, numbers WHERE n < ${copies};
  `)
}

function readOldStore(database: Database.Database): Contents {
  const names = database.prepare('SELECT name FROM minions_catalogue').pluck().all() as string[]
  return new Map(
    names.map((name) => {
      const rows = database.prepare(`SELECT key, revision, doc FROM c_${name}`).raw().all() as [
        string,
        string,
        string,
      ][]
      return [name, new Map(rows.map(([key, revision, doc]) => [key, { record: JSON.parse(doc), revision }]))]
    }),
  )
}
