import type { JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { FunnelEvent } from './events.ts'
import { grow } from './growth.ts'
import type { Tree } from './tree.ts'

/** The steps of a funnel, as its document keeps them. */
export const treeOf = (document: JsonObject | undefined): Tree => (document?.tree ?? []) as Tree

const step = (document: JsonObject | undefined, event: FunnelEvent): JsonObject => {
  switch (event.type) {
    case 'FunnelCreated':
      return { ...event.data, live_mode: false, tree: [] }
    case 'FunnelRenamed':
    case 'FunnelDomainChosen':
    case 'FunnelCodeSet':
      return { ...document, ...event.data }
    case 'FunnelWentLive':
    case 'FunnelReturnedToTest':
      return { ...document, live_mode: event.type === 'FunnelWentLive' }
    default:
      return { ...document, tree: grow(treeOf(document), event) }
  }
}

/** A funnel's document holds its whole tree, so that its structure is one look-up. */
export const funnelDocuments: Documents = {
  version: 1,
  evolve: (document, event: RecordedEvent) => step(document, event as RecordedEvent & FunnelEvent),
  indexes: [{ fields: ['workspace_id', 'current_path'] }],
}
