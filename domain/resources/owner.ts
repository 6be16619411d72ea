/** A parent record as it appears in a path: `{workspace_id}`. */
export interface Owner {
  readonly param: string
  /** Resource whose document must exist and be within reach of the token. */
  readonly resource: string
  /** Field of the child's document that holds the parent's id. */
  readonly field: string
}
