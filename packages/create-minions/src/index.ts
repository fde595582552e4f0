export { AREAS, type ProjectArea, type ProjectChoices, type ProjectStorage, STORAGES } from './choices.js'
export { main } from './main.js'
export { dependenciesOf } from './project/dependencies.js'
export { projectFiles } from './project/project-files.js'
