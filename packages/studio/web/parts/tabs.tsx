import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

/** Name and title of each tab. */
type TabList<Name extends string = string> = readonly (readonly [name: Name, title: string])[]

export interface TabsProps {
  readonly label: string
  readonly tabs: TabList
  readonly chosen: string | undefined
  readonly onChoose: (name: string) => void
  readonly children: ReactNode
}

/** The tab that an address names, or the first one if there is none of that name, or no longer. */
export function tabOf<Name extends string>(tabs: TabList<Name>, named: string | undefined): Name | undefined {
  return (tabs.find(([name]) => name === named) ?? tabs[0])?.[0]
}

/** Views of one thing, one at a time; arrow keys go from one to the next. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex(([name]) => name === chosen)
    const next = (at + step + tabs.length) % tabs.length
    const name = tabs[next]?.[0]
    if (name === undefined) return
    onChoose(name)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(([name, title]) => (
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
