/** Progress of an operation. */
export interface Progress {
  readonly done: number
  readonly total?: number
  readonly message?: string
}

/** An operation that outlives its request. */
export interface Run<Output = unknown> {
  readonly id: string
  readonly operation: string
  readonly status: 'running' | 'succeeded' | 'failed' | 'cancelled'
  readonly by?: string
  readonly tenant?: string
  readonly progress?: Progress
  readonly cancelRequested?: boolean
  readonly result?: Output
  readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> }
  readonly createdAt: string
  readonly endedAt?: string
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call. Writes that the server has started continue. */
  readonly signal?: AbortSignal | undefined
  /** The tenant of the call; that of the client by default. */
  readonly tenant?: string | undefined
  /** Idempotency key: a repeated call, even by another process, gets the first answer; a new one by default. */
  readonly idempotencyKey?: string | undefined
  /** Called with the progress of the operation. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** Filters for events: one value of each filter must match, and all filters must match. */
export interface EventOptions {
  /** Slugs or ids of types of minions. */
  readonly type?: string | readonly string[] | undefined
  /** Ids of records. */
  readonly id?: string | readonly string[] | undefined
  readonly mission?: string | readonly string[] | undefined
  readonly topic?: string | readonly string[] | undefined
  /** Names of collections, such as `minions`. */
  readonly collection?: string | readonly string[] | undefined
  /** The cursor of the last processed event, or `start` for all that are kept; from now on by default. */
  readonly since?: string | undefined
  readonly tenant?: string | undefined
  /** Ends the iteration with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined
}

/** A record was written or removed. */
export interface ChangeEvent {
  /** Pass it as `since` to continue after this event. */
  readonly cursor: string
  readonly collection: string
  /** Id of the record, or all properties of a composite key. */
  readonly key: string | readonly (string | number)[]
  readonly kind: 'put' | 'delete'
  readonly revision: string
  readonly at: string
  /** For a minion: the slug of its type, its current title, and the author of the change, if known. */
  readonly type?: string
  readonly title?: string
  readonly by?: string
  readonly mission?: string
  readonly topic?: string
}

/** A run that can be followed. */
export interface RunHandle<Output> {
  readonly id: string
  /** Its current status. */
  get(): Promise<Run<Output>>
  /** Waits for its end; rejects with its error if it failed. */
  result(options?: Pick<CallOptions, 'signal'>): Promise<Output>
  /** Cancels it. */
  cancel(): Promise<Run<Output>>
}

type Arguments<Input> = unknown extends Input
  ? [input?: unknown, options?: CallOptions]
  : // biome-ignore lint/complexity/noBannedTypes: an input of which nothing is required
    {} extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions]

/** One operation of a server. */
export interface OperationCall<Input, Output> {
  (...args: Arguments<Input>): Promise<Output>
  /** Starts it and resolves as soon as it runs. */
  start(...args: Arguments<Input>): Promise<RunHandle<Output>>
}

/** One operation that returns pages. */
export interface PagedCall<Input, Output, Item> extends OperationCall<Input, Output> {
  /** All pages, each fetched on demand. */
  pages(...args: Arguments<Input>): AsyncGenerator<Output, void, undefined>
  /** The items of all pages. */
  iterate(...args: Arguments<Input>): AsyncGenerator<Item, void, undefined>
}

type CallOf<Input, Output> = unknown extends Output
  ? PagedCall<Input, Output, unknown>
  : Output extends { readonly items: readonly (infer Item)[]; readonly nextCursor?: string }
    ? PagedCall<Input, Output, Item>
    : OperationCall<Input, Output>

/** The type of an operation in an app: its name, input and output. */
interface Carried {
  readonly name: string
  run(input: never, ...rest: never[]): Promise<unknown>
}

/** The operations of an app, as a union, from its type. */
export type OperationsOf<App> = App extends { readonly '~operations'?: infer ByName }
  ? Extract<NonNullable<ByName>[keyof NonNullable<ByName>], Carried>
  : never

type InputOf<Op> = Op extends { run(input: infer Input, ...rest: never[]): Promise<unknown> } ? Input : never
type OutputOf<Op extends Carried> = Awaited<ReturnType<Op['run']>>

/** The part of a name after a prefix: `render` for `prompts.render` and `prompts.`. */
type Rest<Name, Prefix extends string> = Name extends `${Prefix}${infer Last}` ? Last : never

type Head<Name> = Name extends `${infer First}.${string}` ? First : Name

/** Operations by the parts of their names: `prompts.render` is `client.prompts.render`. */
type Namespace<Op extends Carried, Prefix extends string> = {
  readonly [Part in Head<Rest<Op['name'], Prefix>> & string]: `${Prefix}${Part}` extends Op['name']
    ? Extract<Op, { readonly name: `${Prefix}${Part}` }> extends infer One extends Carried
      ? CallOf<InputOf<One>, OutputOf<One>>
      : never
    : Namespace<Op, `${Prefix}${Part}.`>
}

/** Without the type of an app, any name is accepted and inputs are untyped. */
interface UntypedNamespaces {
  readonly [namespace: string]: { readonly [operation: string]: PagedCall<unknown, unknown, unknown> }
}

/** Members of every client besides the namespaces. */
export interface ClientBase<Op extends Carried> {
  /** Calls an operation by its name. */
  call<Name extends [Op] extends [never] ? string : Op['name']>(
    name: Name,
    ...args: Arguments<[Op] extends [never] ? unknown : InputOf<Extract<Op, { readonly name: Name }>>>
  ): Promise<[Op] extends [never] ? unknown : OutputOf<Extract<Op, { readonly name: Name }>>>
  /**
   * Follows what any process commits to the store: every change once, in order per record. A stream that is cut is
   * continued; keep `cursor` to continue after a restart.
   */
  events(options?: EventOptions): AsyncGenerator<ChangeEvent, void, undefined>
  /** A run by its id, which another process may have started. */
  run<Output = unknown>(id: string): RunHandle<Output>
}

/** The client of a server of an app. */
export type Client<App = unknown> = ClientBase<OperationsOf<App>> &
  ([OperationsOf<App>] extends [never] ? UntypedNamespaces : Namespace<OperationsOf<App>, ''>)
