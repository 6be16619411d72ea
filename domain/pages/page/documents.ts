import { pagePlaces, UNPLACED } from '../../funnels/funnel/step-documents.ts'
import type { JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import { SEARCH_DEFAULTS } from './decide.ts'
import type { PageEvent } from './events.ts'
import { NO_CODE } from './state.ts'

const HOSTED = { external: false, external_url: null, token: null }
const EXTERNAL = { external: true, current_path: null, theme_id: null, markup: null, ...SEARCH_DEFAULTS, ...NO_CODE }

const step = (document: JsonObject | undefined, event: PageEvent): JsonObject | undefined => {
  switch (event.type) {
    case 'PageCreated':
      return { ...HOSTED, ...UNPLACED, ...event.data }
    case 'ExternalPageRegistered':
      return { ...EXTERNAL, ...UNPLACED, ...event.data, token: null }
    case 'ExternalUrlMoved':
      return { ...document, external_url: event.data.external_url }
    case 'PageDeleted':
      return undefined
    default:
      return { ...document, ...event.data }
  }
}

export const pageDocuments: Documents = {
  version: 1,
  evolve: (document, event: RecordedEvent) => step(document, event as RecordedEvent & PageEvent),
  indexes: [{ fields: ['token'] }],
  joined: [pagePlaces],
}
