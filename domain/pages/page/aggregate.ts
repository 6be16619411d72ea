import type { Aggregate, ClaimWanted, FactReader } from '../../kernel/decider.ts'
import { decide, type PageCommand, type PageFacts } from './decide.ts'
import { type PageEvent, pageEvents } from './events.ts'
import { TAKEN } from './external-url.ts'
import { evolve, initial, type PageState } from './state.ts'

/** An address shows one external page of a workspace. */
const urlClaim = (workspaceId: number, url: string): ClaimWanted => ({
  scope: `page.external_url:${workspaceId}`,
  value: url,
  field: 'external_url',
  says: TAKEN,
})

const facts = async (command: PageCommand, read: FactReader, state: PageState): Promise<PageFacts> => {
  if (command.type !== 'DeletePage') return { requiredByTheme: false }
  const themes = await read.find('theme', {
    where: { workspace_id: state.workspaceId, template_page_ids: command.pageId },
    limit: 1,
  })
  return { requiredByTheme: themes.length > 0 }
}

/** A page, hosted here or by the customer. */
export const pageAggregate: Aggregate<PageState, PageCommand, PageEvent, PageFacts> = {
  name: 'page',
  initial,
  events: pageEvents,
  decide,
  evolve,
  facts,
  claims: ({ status, workspaceId, externalUrl }) =>
    status === 'present' && externalUrl !== null ? [urlClaim(workspaceId, externalUrl)] : [],
}
