import { compilePattern } from './pattern.js'

/** Local part of non-dot characters and dots, an at sign, one or more labels and a last one. */
export const EMAIL_PATTERN =
  "^[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+(?:\\.[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+)*@" +
  '(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*\\.)+[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*$'

const ESCAPED = '%[0-9A-Fa-f]{2}'
const PATH_CHARACTER = `(?:[A-Za-z0-9_.~!$&'()*+,;=:@/-]|${ESCAPED})`

/** An http or https address in the characters of RFC 3986, with a host. */
export const URL_PATTERN =
  `^https?://(?:(?:[A-Za-z0-9_.~!$&'()*+,;=:-]|${ESCAPED})*@)?` +
  `(?:\\[[0-9A-Fa-f:.]+\\]|(?:[A-Za-z0-9_.~!$&'()*+,;=-]|${ESCAPED})+)(?::[0-9]{0,5})?` +
  `(?:/${PATH_CHARACTER}*)?(?:\\?(?:${PATH_CHARACTER}|\\?)*)?(?:#(?:${PATH_CHARACTER}|\\?)*)?$`

export function isEmail(text: string): boolean {
  return compilePattern(EMAIL_PATTERN).test(text)
}

/** The pattern rejects what the parser would repair, such as spaces or a missing host; the parser checks the host. */
export function isUrl(text: string): boolean {
  return compilePattern(URL_PATTERN).test(text) && URL.canParse(text)
}
