/** Where the page is on a server. */
export const STUDIO_PATH = '/studio'
