import { type ComponentType, useEffect, useState } from 'react'

/** A component whose code is loaded when it is first shown, or before by `preload`. */
export interface LazyComponent<Props> {
  (props: Props): React.JSX.Element
  preload(): void
}

/**
 * Makes a component out of one whose code comes later; until then it says what it waits for. `lazy` with Suspense would
 * hold back what has arrived for another third of a second.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: string,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const begin = () => {
    loading ??= load().then(
      (component) => {
        loaded = component
        return component
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  function Lazily(props: Props) {
    const [Component, setComponent] = useState(() => loaded)
    const [problem, setProblem] = useState<unknown>()
    useEffect(() => {
      if (!Component) begin().then((component) => setComponent(() => component), setProblem)
    }, [Component])
    if (problem) throw problem
    return Component ? <Component {...props} /> : <p role="status">{waiting}</p>
  }
  Lazily.preload = () => void begin().catch(() => undefined)
  return Lazily
}
