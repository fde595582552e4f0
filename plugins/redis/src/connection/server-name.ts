/** A server for messages: without user and password. */
export function serverName(url: string): string {
  if (!URL.canParse(url)) return 'Redis'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
