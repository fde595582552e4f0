const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML. What XML cannot hold is replaced, and white space of attributes is kept. */
export function escapeMarkup(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
  )
}

/** Text inside an attribute, where line breaks would become spaces. */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
