/** A `SKILL.md` in a folder, and whether the Agent Skills standard accepts it. */
export interface Fixture {
  readonly rule: string
  readonly folder: string
  readonly text: string
  readonly valid: boolean
}

const fixture = (rule: string, valid: boolean, head: string, folder = 'pdf-tools'): Fixture => ({
  rule,
  valid,
  folder,
  text: `---\n${head}\n---\n# How\n\nRead the file.\n`,
})

const DESCRIPTION = 'description: Reads and fills PDF forms. Use it for PDF files.'
const named = (name: string, folder = name) => [`name: ${name}\n${DESCRIPTION}`, folder] as const
const more = (lines: string) => `name: pdf-tools\n${DESCRIPTION}\n${lines}`

/** Both sides of every rule and every limit of the standard. */
export const FIXTURES: readonly Fixture[] = [
  fixture('the two required attributes', true, more('')),
  fixture(
    'all attributes',
    true,
    more(
      'license: MIT\ncompatibility: Needs qpdf\nallowed-tools: Read Bash(qpdf:*)\nmetadata:\n  version: "1.2"\n  author: us',
    ),
  ),
  fixture('no name', false, DESCRIPTION),
  fixture('an empty name', false, `name:\n${DESCRIPTION}`),
  fixture('a name of spaces', false, `name: "  "\n${DESCRIPTION}`),
  fixture('a name that is a list', false, `name:\n  - pdf-tools\n${DESCRIPTION}`),
  fixture('a name that is a mapping', false, `name:\n  a: b\n${DESCRIPTION}`),
  fixture('a name of one character', true, ...named('a')),
  fixture('a name of 64 characters', true, ...named('a'.repeat(64))),
  fixture('a name of 65 characters', false, ...named('a'.repeat(65))),
  fixture('a name of 64 characters outside the basic plane', true, ...named('\u{20000}'.repeat(64))),
  fixture('an upper-case letter', false, ...named('Pdf-tools')),
  fixture('upper case of another script', false, ...named('Ärzte')),
  fixture('lower case of another script', true, ...named('ärzte-büro')),
  fixture('Chinese characters', true, ...named('技能')),
  fixture('Cyrillic letters', true, ...named('навык-1')),
  fixture('digits alone', true, ...named('2026')),
  fixture('a digit first', true, ...named('3d-models')),
  fixture('a hyphen first', false, `name: "-pdf"\n${DESCRIPTION}`, '-pdf'),
  fixture('a hyphen last', false, ...named('pdf-')),
  fixture('two hyphens', false, ...named('pdf--tools')),
  fixture('hyphens between words', true, ...named('a-b-c-d-e')),
  fixture('an underscore', false, ...named('pdf_tools')),
  fixture('a space', false, ...named('pdf tools')),
  fixture('a dot', false, ...named('pdf.tools')),
  fixture('a slash', false, `name: a/b\n${DESCRIPTION}`, 'b'),
  fixture('dots and slashes', false, `name: ../b\n${DESCRIPTION}`, 'b'),
  fixture('an emoji', false, ...named('pdf-😀')),
  fixture('a combining mark that composes', true, ...named('cafe\u0301')),
  fixture('a name that normalises to that of the folder', true, `name: ｐｄｆ\n${DESCRIPTION}`, 'pdf'),
  fixture('a folder that normalises to the name', true, `name: pdf\n${DESCRIPTION}`, 'ｐｄｆ'),
  fixture('spaces around the name', true, `name: "  pdf-tools  "\n${DESCRIPTION}`),
  fixture('another name than that of the folder', false, `name: pdf-tool\n${DESCRIPTION}`),
  fixture('a folder that differs in case', false, `name: pdf-tools\n${DESCRIPTION}`, 'PDF-tools'),
  fixture('no description', false, 'name: pdf-tools'),
  fixture('an empty description', false, 'name: pdf-tools\ndescription:'),
  fixture('a description of spaces', false, 'name: pdf-tools\ndescription: "   "'),
  fixture('a description that is a list', false, 'name: pdf-tools\ndescription:\n  - a'),
  fixture('a description of one character', true, 'name: pdf-tools\ndescription: x'),
  fixture('a description of 1,024 characters', true, `name: pdf-tools\ndescription: ${'x'.repeat(1024)}`),
  fixture('a description of 1,025 characters', false, `name: pdf-tools\ndescription: ${'x'.repeat(1025)}`),
  fixture('1,024 characters outside the basic plane', true, `name: pdf-tools\ndescription: ${'😀'.repeat(1024)}`),
  fixture('a description in a block', true, 'name: pdf-tools\ndescription: |\n  One.\n  Two: three.'),
  fixture('a folded description', true, 'name: pdf-tools\ndescription: >-\n  One\n  two.'),
  fixture('a colon in a plain description', false, 'name: pdf-tools\ndescription: Use it: now'),
  fixture('a colon in a quoted description', true, 'name: pdf-tools\ndescription: "Use it: now"'),
  fixture('a hash in a plain description', true, 'name: pdf-tools\ndescription: Use it #now'),
  fixture('three dashes in a description', true, 'name: pdf-tools\ndescription: Use --- now'),
  fixture('a licence that is a number', true, more('license: 2')),
  fixture('an empty licence', true, more('license:')),
  fixture('an empty compatibility', true, more('compatibility:')),
  fixture('a compatibility of 500 characters', true, more(`compatibility: ${'x'.repeat(500)}`)),
  fixture('a compatibility of 501 characters', false, more(`compatibility: ${'x'.repeat(501)}`)),
  fixture('a compatibility that is a list', false, more('compatibility:\n  - Linux')),
  fixture('tools as a text', true, more('allowed-tools: Read, Write')),
  fixture('tools as a list', true, more('allowed-tools:\n  - Read\n  - Write')),
  fixture('tools as a flow list', false, more('allowed-tools: [Read, Write]')),
  fixture('tools as a mapping', false, more('allowed-tools:\n  Read: yes')),
  fixture('tools as a list of lists', false, more('allowed-tools:\n  - - Read')),
  fixture('metadata with numbers and booleans', true, more('metadata:\n  version: 1.0\n  beta: true')),
  fixture('metadata that is a text', true, more('metadata: none')),
  fixture('metadata with nested attributes', true, more('metadata:\n  a:\n    b: c')),
  fixture('metadata as a flow mapping', false, more('metadata: {a: b}')),
  fixture('an attribute that is not of the standard', false, more('version: 1.0.0')),
  fixture('an attribute in another case', false, more('License: MIT')),
  fixture('an attribute twice', false, more('name: pdf-tools')),
  fixture('metadata with a key twice', false, more('metadata:\n  a: b\n  a: c')),
  fixture('an anchor', false, more('license: &a MIT')),
  fixture('an alias', false, more('license: *a')),
  fixture('a tag', false, more('license: !!str MIT')),
  fixture('a merge key', false, more('metadata:\n  <<: x')),
  fixture('a comment', true, more('# a comment')),
  fixture('a tab as indentation', false, more('metadata:\n\ta: b')),
  fixture('an unclosed quote', false, more('license: "MIT')),
  fixture('a control character', false, more('license: M\u0007IT')),
  fixture('front matter that is a list', false, '- name\n- description'),
  fixture('front matter that is a text', false, 'name'),
  fixture('empty front matter', false, ''),
  { rule: 'no front matter', folder: 'pdf-tools', text: '# PDF\n', valid: false },
  {
    rule: 'front matter that does not end',
    folder: 'pdf-tools',
    text: `---\nname: pdf-tools\n${DESCRIPTION}\n`,
    valid: false,
  },
  {
    rule: 'a blank line before it',
    folder: 'pdf-tools',
    text: `\n---\nname: pdf-tools\n${DESCRIPTION}\n---\n`,
    valid: false,
  },
  {
    rule: 'a byte order mark',
    folder: 'pdf-tools',
    text: `\u{feff}---\nname: pdf-tools\n${DESCRIPTION}\n---\n`,
    valid: false,
  },
  {
    rule: 'lines of Windows',
    folder: 'pdf-tools',
    text: `---\r\nname: pdf-tools\r\n${DESCRIPTION}\r\n---\r\nText\r\n`,
    valid: true,
  },
  { rule: 'no text below', folder: 'pdf-tools', text: `---\nname: pdf-tools\n${DESCRIPTION}\n---`, valid: true },
  { rule: 'an empty file', folder: 'pdf-tools', text: '', valid: false },
]

/** A sequence of numbers below `limit` that is the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const INSERTED = [
  ...'-_: #"\'[]{}&*!|>\t\n',
  '--',
  '---',
  '\n---\n',
  'A',
  'é',
  '\u0301',
  '😀',
  '\u0000',
  '\r',
  '1',
  '  ',
  'name: x\n',
]

/** A fixture with one to three small changes, the same for the same seed. */
export function mutation(seed: number): Pick<Fixture, 'folder' | 'text'> {
  const next = numbers(seed)
  const { folder, text } = FIXTURES[next(FIXTURES.length)] as Fixture
  const characters = Array.from(text)
  for (let count = 1 + next(3); count > 0; count--) {
    const at = next(Math.min(characters.length + 1, 120))
    const kind = next(4)
    if (kind === 0) characters.splice(at, 1)
    else if (kind === 1) characters.splice(at, 0, INSERTED[next(INSERTED.length)] as string)
    else if (kind === 2) characters.splice(at, 1, INSERTED[next(INSERTED.length)] as string)
    else characters.splice(at, 0, ...characters.slice(at, at + next(12)))
  }
  return { folder, text: characters.join('') }
}
