import { builtinType } from './builtin-type.js'

/** A piece of text. */
export const noteType = builtinType({
  name: 'Note',
  slug: 'note',
  description: 'A piece of text.',
  icon: '📝',
  schema: [{ name: 'content', type: 'textarea', label: 'Content', required: true }],
})

/** A web address. */
export const linkType = builtinType({
  name: 'Link',
  slug: 'link',
  description: 'A web address with an optional description.',
  icon: '🔗',
  schema: [
    { name: 'url', type: 'url', label: 'URL', required: true },
    { name: 'description', type: 'textarea', label: 'Description' },
  ],
})

/** A file stored elsewhere. */
export const fileType = builtinType({
  name: 'File',
  slug: 'file',
  description: 'A file that is stored elsewhere and can be fetched.',
  icon: '📎',
  schema: [
    { name: 'filename', type: 'string', label: 'File name', required: true },
    { name: 'fileUrl', type: 'url', label: 'File URL', required: true },
    { name: 'fileSize', type: 'number', label: 'File size', description: 'In bytes.' },
    { name: 'mimeType', type: 'string', label: 'MIME type' },
  ],
})

/** A person or organisation. */
export const contactType = builtinType({
  name: 'Contact',
  slug: 'contact',
  description: 'A person or organisation and how to reach them.',
  icon: '👤',
  schema: [
    { name: 'name', type: 'string', label: 'Name', required: true },
    { name: 'email', type: 'email', label: 'E-mail' },
    { name: 'phone', type: 'string', label: 'Phone' },
    { name: 'company', type: 'string', label: 'Company' },
    { name: 'notes', type: 'textarea', label: 'Notes' },
  ],
})
