// @ts-check

/** @typedef {{ language: 'ts' | 'js', mark: 'run' | 'no-run' | 'test', line: number, code: string }} Snippet */

/**
 * The TypeScript and JavaScript blocks of a Markdown text. Each stands for itself as a module and is compiled and run;
 * `ts no-run` is only compiled, for what needs a service, `ts test` is one of the package's test files, which its suite
 * runs, and `ts ignore` is a fragment for the eye alone.
 *
 * @param {string} text
 * @returns {Snippet[]}
 */
export function readSnippets(text) {
  const blocks = text.matchAll(/^```(ts|js)(?: (no-run|test|ignore))?\n([\s\S]*?)^```$/gm)
  return [...blocks]
    .filter(([, , mark]) => mark !== 'ignore')
    .map(({ 1: language, 2: mark, 3: code = '', index }) => ({
      language: language === 'js' ? 'js' : 'ts',
      mark: mark === 'no-run' || mark === 'test' ? mark : 'run',
      line: text.slice(0, index).split('\n').length,
      code,
    }))
}
