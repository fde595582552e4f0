export { type ChatEndpoint, chatEndpoint, chatEndpoint as plugin } from './plugin.js'
