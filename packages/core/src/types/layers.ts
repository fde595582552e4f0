/** The layers that group types, in the order of the specification. */
export const LAYERS = ['definition', 'organization', 'memory', 'interface', 'evaluation', 'execution'] as const

export type Layer = (typeof LAYERS)[number]
