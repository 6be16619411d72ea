import type { Resource } from '../../kernel/resource.ts'
import { workspace } from '../../kinds/operations.ts'
import { contactAggregate } from './aggregate.ts'
import { contactDocuments } from './documents.ts'
import { contactOperations } from './operations.ts'
import { contactPublishes } from './publishes.ts'
import { contactView } from './view.ts'

/** Contact: found by e-mail address, tagged, attributed, deleted softly, erased for good. */
export const contact: Resource = {
  name: 'contact',
  tag: 'Contact',
  root: 'contact',
  category: 'contacts',
  under: workspace,
  aggregate: contactAggregate,
  documents: contactDocuments,
  view: contactView,
  operations: contactOperations,
  publishes: contactPublishes,
  person: (document) => Number(document.id),
}
