import * as Dialog from '@radix-ui/react-dialog'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useStore } from '../../data/store.ts'
import { isPaletteOpen } from './palette-store.ts'
import { usePaletteItems } from './use-palette-items.ts'

/** Finds a page, an object or an operation by typing; Ctrl K or ⌘ K. */
export function CommandPalette() {
  const isOpen = useStore(isPaletteOpen)
  const next = useRef<HTMLElement>(null)
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      isPaletteOpen.set(!isPaletteOpen.get())
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <Dialog.Root open={isOpen} onOpenChange={isPaletteOpen.set}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            next.current = document.activeElement as HTMLElement | null
          }}
          // The page that was chosen takes the focus; without one it goes back to where it was.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            next.current?.focus({ preventScroll: true })
          }}
        >
          <Dialog.Title className="sr-only">Search or go to</Dialog.Title>
          <PaletteList
            onChosen={() => {
              next.current = document.getElementById('content')
              isPaletteOpen.set(false)
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteList({ onChosen }: { readonly onChosen: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const items = usePaletteItems(text)
  const at = Math.min(index, items.length - 1)
  useEffect(() => void document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [id, at])
  const choose = (chosen: number) => {
    const item = items[chosen]
    if (!item) return
    onChosen()
    void navigate(item.link)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setIndex((at + step + items.length) % Math.max(1, items.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(at)
    }
  }
  return (
    <>
      <input
        className="palette-input"
        type="text"
        role="combobox"
        aria-label="Search or go to"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
        placeholder="A page, an object, an operation …"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
        {items.map(({ key, title, kind }, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the combobox that owns the list
          <div
            key={key}
            id={`${id}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === at}
            className="palette-item"
            onClick={() => choose(position)}
          >
            <span className="palette-title">{title}</span>
            <span className="faint">{kind}</span>
          </div>
        ))}
      </div>
      {items.length === 0 && <p className="palette-none">No matches. Try fewer letters.</p>}
    </>
  )
}
