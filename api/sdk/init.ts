import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { catalogueOf } from './catalogue.ts'
import type { FoundPage } from './page-of.ts'
import type { SdkService } from './service.ts'

/**
 * Returns what a page needs to begin. Browsers keep the answer for two minutes, so it holds nothing of a visitor.
 */
export const initOf = async (service: SdkService, found: FoundPage): Promise<JsonObject> => {
  const { mode, page, step, registeredUrl, workspaceId } = found
  return {
    mode,
    in_funnel: step !== undefined,
    registered_url: registeredUrl,
    // Keeps what browsers store of two workspaces on one origin apart.
    space: service.publicIds.of('workspace').encode(workspaceId),
    ...(await service.catalogues(`${page.id} ${mode}`, () => catalogueOf(service, found))),
  }
}
