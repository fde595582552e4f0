/** Where a project keeps its data. */
export const STORAGES = ['sqlite', 'fs', 'postgres', 'memory'] as const
export type ProjectStorage = (typeof STORAGES)[number]

/** What a project works with. Missions include the others, which they are made of. */
export const AREAS = ['prompts', 'skills', 'workspace', 'missions'] as const
export type ProjectArea = (typeof AREAS)[number]

/** What a project is created from. */
export interface ProjectChoices {
  /** Name of the folder and of the package. */
  readonly name: string
  readonly storage: ProjectStorage
  readonly areas: readonly ProjectArea[]
  /** A model as `@minions/models` names it, such as `openai-compatible:http://127.0.0.1:11434/v1#llama3`. */
  readonly model?: string | undefined
}

/** The areas that a project has in the end, in the order of `AREAS`. */
export function withRequired(areas: readonly ProjectArea[]): ProjectArea[] {
  return AREAS.filter((area) => areas.includes(area) || areas.includes('missions'))
}

/** The URL of the store. */
export function storageUrl(storage: ProjectStorage): string {
  const urls = {
    sqlite: 'sqlite:./data/minions.db',
    fs: 'fs:./data',
    postgres: 'postgres://localhost/minions',
    memory: 'memory:',
  }
  return urls[storage]
}
