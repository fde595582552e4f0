import type { ReactNode } from 'react'

export interface EmptyProps {
  readonly title: string
  /** What to do about it. */
  readonly children?: ReactNode
}

/** Stands where there is nothing yet, and says what to do. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div className="empty-text">{children}</div>}
    </div>
  )
}
