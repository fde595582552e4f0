/** A prompt, or one version of it. */
export interface Prompt {
  readonly id: string
  readonly title: string
  readonly name?: string
  readonly publishedVersion?: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy?: string
  readonly description?: string
  readonly fields: {
    readonly content?: string
    /** Of a chat prompt; its content is their text. */
    readonly messages?: readonly unknown[]
    readonly settings?: object
    readonly responseSchema?: object
    readonly changelog?: string
    readonly variables?: readonly string[]
  }
}

export interface PromptVersion extends Prompt {
  readonly version: number
  readonly published: boolean
}

export interface PromptLabel {
  readonly label: string
  readonly at: string
  readonly by?: string
  readonly targets: readonly { readonly version: number; readonly weight: number }[]
}

/** A template as it would be rendered. */
export interface Preview {
  readonly text?: string
  readonly variables: readonly string[]
  readonly missing: readonly string[]
  readonly problems: readonly { readonly message: string; readonly line?: number; readonly column?: number }[]
  /** Of a chat prompt, ready to be saved. */
  readonly messages?: readonly unknown[]
}

/** What a prompt says, as one text: that of a chat prompt has the role above each message. */
export function contentOf({ fields }: Pick<Prompt, 'fields'>): string {
  return fields.content ?? ''
}
