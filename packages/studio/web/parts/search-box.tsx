import { useEffect, useRef, useState } from 'react'

export interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Milliseconds without a key after which the text counts. */
const PAUSE = 120

/** A text that is searched for while it is typed. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    // The address changed by itself, as with the button for going back.
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  const tell = () => {
    if (text === told.current) return
    told.current = text
    onChange(text)
  }
  useEffect(() => {
    const timer = setTimeout(tell, PAUSE)
    return () => clearTimeout(timer)
  })
  return (
    <input
      type="search"
      className="search-box"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      // Later it would take the place of a page that was asked for in the meantime.
      onBlur={tell}
    />
  )
}
