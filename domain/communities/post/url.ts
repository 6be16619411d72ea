import { nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { addressAt } from '../../sites/public.ts'

/** Returns where members read something; `null` while the workspace has no domain. */
export const readAt = async (load: Loader, workspaceId: number, path: string): Promise<string | null> => {
  const address = await addressAt(load, workspaceId, path)
  return URL.canParse(address) ? address : null
}

/** Shows where members read a record: for others than members there is no such page. */
export const urlAt = (pathOf: (id: number) => string) => ({
  schema: nullableString,
  of: ({ id, workspace_id = 0 }: { readonly id: number; readonly workspace_id?: number }, load: Loader) =>
    readAt(load, workspace_id, pathOf(id)),
})
