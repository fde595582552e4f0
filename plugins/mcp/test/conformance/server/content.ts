import type { CallToolResult, ContentBlock, InputRequest } from '@modelcontextprotocol/server'

/** The smallest picture and sound there are. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

export const text = (body: string): ContentBlock => ({ type: 'text', text: body })

export const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }

export const result = (...content: ContentBlock[]): CallToolResult => ({ content })

export const embedded = (uri: string, mimeType: string, body: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: body },
})

export const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

/** A form for the person behind the client. */
export function elicit(message: string, properties: object, required?: string[]): InputRequest {
  const params = { mode: 'form', message, requestedSchema: object(properties, required) }
  return { method: 'elicitation/create', params } as InputRequest
}
