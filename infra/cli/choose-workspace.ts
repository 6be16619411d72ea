import type { ControlClient } from '../control/client.ts'

export interface ListedWorkspace {
  readonly id: number
  readonly team_id: number
  readonly name: string
}

/** Returns the given workspace, or the only one there is. @throws {Error} with the ones to choose from */
export const chooseWorkspace = async (client: ControlClient, given: string | undefined): Promise<ListedWorkspace> => {
  const all = await client.ask<readonly ListedWorkspace[]>('GET', '/workspaces')
  const chosen = given === undefined && all.length === 1 ? all[0] : all.find(({ id }) => String(id) === given)
  if (chosen) return chosen
  const listed = all.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
  throw new Error(
    `say which workspace with --workspace ID${listed ? `; there are\n${listed}` : '; there is none yet: millrace workspace create'}`,
  )
}
