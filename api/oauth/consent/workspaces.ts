import type { ReadModels } from '../../../domain/kernel/ports/read-models.ts'

/** Workspace that a person can let an application into. */
export interface OpenWorkspace {
  readonly id: number
  readonly name: string
  readonly teamId: number
  readonly teamName: string
  readonly membershipId: number
}

/** Returns the workspaces of all teams of a person. */
export const workspacesOf = async (live: ReadModels, userId: number): Promise<readonly OpenWorkspace[]> => {
  const memberships = await live.find('membership', { where: { user_id: userId } })
  const ofTeams = await Promise.all(
    memberships.map(async ({ id, team_id }) => {
      const team = await live.get('team', Number(team_id))
      const workspaces = await live.find('workspace', { where: { team_id: Number(team_id) } })
      return workspaces.map((workspace) => ({
        id: Number(workspace.id),
        name: String(workspace.name),
        teamId: Number(team_id),
        teamName: String(team?.name ?? ''),
        membershipId: Number(id),
      }))
    }),
  )
  return ofTeams.flat()
}
