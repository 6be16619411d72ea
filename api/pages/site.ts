import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { hostName, MACHINE } from '../../domain/sites/public.ts'
import type { Sources } from '../../projections/fragments.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { RecordingLoader } from '../../projections/loading/recording-loader.ts'
import type { PagesService } from './service.ts'

/** Host whose pages are asked for. */
export interface Site {
  readonly host: string
  readonly workspaceId: number
  /** Domain record of the host; `undefined` for the name of this machine, which has the pages of all domains. */
  readonly domainId: number | undefined
}

/** Look-ups for one answer. They note what it depends on. */
export interface Reading {
  readonly service: PagesService
  readonly load: RecordingLoader
  readonly sources: Sources
  /** Whether it is for somebody who is signed in on the members' side. */
  readonly isForMember?: boolean
}

export const readingFor = (service: PagesService, sources: Sources): Reading => ({
  service,
  sources,
  load: new RecordingLoader(service, createLoader(service, false), sources),
})

const connected = (domains: readonly Document[]): Document | undefined =>
  domains.find((domain) => domain.connected === true)

/** Returns the workspace, if there is no other: its pages are served under the name of this machine too. */
const onlyWorkspace = async ({ service, sources }: Reading): Promise<number | undefined> => {
  sources.collection('workspace')
  const [first, second] = await service.everywhere.find('workspace', { where: {}, limit: 2 })
  return first && !second ? Number(first.id) : undefined
}

/** Returns the site that a host serves; `undefined` for the host of no workspace. */
export const siteAt = async (host: string, reading: Reading): Promise<Site | undefined> => {
  const domain = connected(await reading.load.where('domain', 'name', host))
  if (domain) return { host, workspaceId: Number(domain.workspace_id), domainId: Number(domain.id) }
  const workspaceId = host === MACHINE ? await onlyWorkspace(reading) : undefined
  return workspaceId === undefined ? undefined : { host, workspaceId, domainId: undefined }
}

/** Returns whether a host is that of a connected domain. Nothing is remembered for names that are not. */
export const isConnected = async ({ everywhere: live }: PagesService, sent: string): Promise<boolean> => {
  const name = hostName(sent)
  return name !== undefined && connected(await live.find('domain', { where: { name } })) !== undefined
}
