// @ts-check

/** @typedef {{ language: 'ts' | 'js', mark: 'run' | 'no-run' | 'redis' | 'test', line: number, code: string }} Snippet */

/**
 * The TypeScript and JavaScript blocks of a Markdown text. Each stands for itself as a module and is compiled and run;
 * `ts no-run` is only compiled, for what needs a service, `ts redis` is run where there is a Redis, `ts test` is one of the package's test files, which its suite
 * runs, and `ts ignore` is a fragment for the eye alone.
 *
 * @param {string} text
 * @returns {Snippet[]}
 */
export function readSnippets(text) {
  const blocks = text.matchAll(/^```(ts|js)(?: (no-run|redis|test|ignore))?\n([\s\S]*?)^```$/gm)
  return [...blocks]
    .filter(([, , mark]) => mark !== 'ignore')
    .map(({ 1: language, 2: mark, 3: code = '', index }) => ({
      language: language === 'js' ? 'js' : 'ts',
      mark: mark === 'no-run' || mark === 'redis' || mark === 'test' ? mark : 'run',
      line: text.slice(0, index).split('\n').length,
      code,
    }))
}

/**
 * The queries in the SQL blocks of a Markdown text.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function readSqlQueries(text) {
  const blocks = text.matchAll(/^```sql\n([\s\S]*?)^```$/gm)
  return [...blocks].flatMap(({ 1: code = '' }) => code.split(/;\n+/)).filter((query) => query !== '')
}
