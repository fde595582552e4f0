export { createProject, type Project, type ProjectOptions } from './create-project.js'
export { main } from './main.js'
export { fillTemplate } from './templates.js'
export { KINDS, type Kind, type Values, valuesOf } from './values.js'
