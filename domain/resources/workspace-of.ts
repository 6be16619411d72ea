import type { WriteInput } from './operation.ts'

/** Returns the id of the workspace of a request: of the record that it changes, or of the one under which it makes a record. */
export const workspaceOf = ({ document, owner }: Pick<WriteInput, 'document' | 'owner'>): number =>
  Number(document?.workspace_id ?? owner?.workspace_id ?? owner?.id)
