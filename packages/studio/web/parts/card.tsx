import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'

export interface CardProps {
  readonly title: string
  /** Where there is more of it. */
  readonly to?: NonNullable<LinkProps['to']>
  readonly more?: string
  readonly wide?: boolean
  readonly children: ReactNode
}

/** One matter of a page, with its heading. */
export function Card({ title, to, more, wide, children }: CardProps) {
  const id = useId()
  return (
    <section className={wide ? 'card wide' : 'card'} aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
        {to && <Link to={to}>{more}</Link>}
      </header>
      {children}
    </section>
  )
}
