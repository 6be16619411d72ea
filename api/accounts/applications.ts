import {
  type ConnectionRecord,
  connection,
  disconnecting,
  platformApplication,
} from '../../domain/account/platform/public.ts'
import { workspace } from '../../domain/account/public.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { carryOut } from './carry-out.ts'
import type { ViewerRequest } from './request.ts'

/** Application that acts as a user in a workspace. */
export interface ConnectedApplication {
  readonly id: number
  readonly name: string
  readonly workspace: string
}

const connectionsOf = ({ service, viewer }: ViewerRequest) =>
  readerOver(service.live).find(connection, { where: { user_id: viewer.userId } })

/** Returns the applications that a user has connected, each once for each workspace. */
export const connectedApplications = async (request: ViewerRequest): Promise<readonly ConnectedApplication[]> => {
  const read = readerOver(request.service.live)
  const own = await connectionsOf(request)
  return Promise.all(
    own.map(async ({ id, platform_application_id, workspace_id }) => ({
      id,
      name: (await read.one(platformApplication, platform_application_id))?.name ?? '',
      workspace: (await read.one(workspace, workspace_id))?.name ?? '',
    })),
  )
}

/** Disconnects applications that a user has connected: one, or all. @throws {Refusal} */
export const disconnect = async (request: ViewerRequest, id?: number): Promise<void> => {
  const own = await connectionsOf(request)
  const ending = own.filter((one): one is ConnectionRecord => id === undefined || one.id === id)
  for (const one of ending) {
    const result = await carryOut(request, disconnecting(one))
    // Somebody else has disconnected it meanwhile.
    if (result instanceof Refusal && result.kind !== 'notFound') throw result
  }
}
