import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'

/** What the answer to an exchange says besides the token: which team and workspace it is for (contract 4). */
export const placeFields = async (
  live: ReadModels,
  { teamId, workspaceId }: { readonly teamId: number; readonly workspaceId: number | null },
  issuer: string,
): Promise<JsonObject> => {
  const team = await live.get('team', teamId)
  const workspace: Document | undefined = workspaceId === null ? undefined : await live.get('workspace', workspaceId)
  return {
    team_id: teamId,
    team_name: team?.name ?? null,
    workspace_id: workspaceId,
    workspace_name: workspace?.name ?? null,
    workspace_url: issuer,
  }
}
