import type { FieldTable } from '../kernel/model/field.ts'

/** Declares the body of a request. */
export interface Body {
  /** Key that wraps the fields; `null` if they are the body itself, which may then be left out. */
  readonly root: string | null
  readonly fields: FieldTable
  readonly mode: 'create' | 'change'
  /** Whether the body may be left out although it has a root. */
  readonly optional?: boolean
}

/** An operation that may have a body. */
export interface WithBody {
  readonly body?: Body
}
