export { gateAnnotations } from './annotations.js'
export { gateHtml } from './html.js'
export { gateJunit } from './junit.js'
export { gateMarkdown } from './markdown.js'
