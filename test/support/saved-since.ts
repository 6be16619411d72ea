import type { Tenant, TestService } from './service.ts'
import { waitUntilSettled } from './settled.ts'

/** Returns a function that gives the types of the events of a workspace since now, when what was done before has come to its end. Others share the service, and what they did goes on. */
export const savedSince = async (
  { background }: Pick<TestService, 'background'>,
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
): Promise<() => Promise<readonly string[]>> => {
  const { log } = background.stores
  await waitUntilSettled({ background })
  const after = await log.lastPosition()
  return async () => {
    const saved: string[] = []
    for await (const { type, metadata } of log.readAll({ after }))
      if (metadata.workspace_id === workspaceId) saved.push(type)
    return saved
  }
}
