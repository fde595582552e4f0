import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

/** The title of each tab, by name. */
type TabTitles<Name extends string = string> = Readonly<Partial<Record<Name, string>>>

export interface TabsProps {
  readonly label: string
  readonly tabs: TabTitles
  readonly chosen: string | undefined
  readonly onChoose: (name: string) => void
  readonly children: ReactNode
}

/** The tab that an address names, or the first one if there is none of that name, or no longer. */
export function tabOf<Name extends string>(tabs: TabTitles<Name>, named: string | undefined): Name | undefined {
  const names = Object.keys(tabs) as Name[]
  return names.find((name) => name === named) ?? names[0]
}

/** Views of one thing, one at a time; arrow keys go from one to the next. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const names = Object.keys(tabs)
    const next = (names.indexOf(chosen ?? '') + step + names.length) % names.length
    const name = names[next]
    if (name === undefined) return
    onChoose(name)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {Object.entries(tabs).map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className="tab-panel">
        {children}
      </div>
    </>
  )
}
