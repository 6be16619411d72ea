import { account } from './account/index.ts'
import { addresses } from './addresses/index.ts'
import { appointments } from './appointments/index.ts'
import { blogs } from './blogs/index.ts'
import { communities } from './communities/index.ts'
import { contacts } from './contacts/index.ts'
import { courses } from './courses/index.ts'
import { emails } from './emails/index.ts'
import { filters } from './filters/index.ts'
import { forms } from './forms/index.ts'
import { fulfillment } from './fulfillment/index.ts'
import { funnels } from './funnels/index.ts'
import { inventory } from './inventory/index.ts'
import type { Policy } from './kernel/react/policy.ts'
import type { HasEventType } from './kernel/values/event.ts'
import { media } from './media/index.ts'
import { members } from './members/index.ts'
import { offers } from './offers/index.ts'
import { orders } from './orders/index.ts'
import { pages } from './pages/index.ts'
import { payments } from './payments/index.ts'
import { purchases } from './purchases/index.ts'
import type { Family, OrphanedBlobs } from './resources/family.ts'
import type { Job } from './resources/jobs/job.ts'
import type { Process } from './resources/process/index.ts'
import { referencePolicies, withReferenceIndexes } from './resources/reference-policies.ts'
import type { Resource } from './resources/resource.ts'
import type { Tally } from './resources/tally.ts'
import { sales } from './sales/index.ts'
import { shipping } from './shipping/index.ts'
import { sites } from './sites/index.ts'
import { statistics } from './statistics/index.ts'
import { store } from './store/index.ts'
import { visits } from './visits/index.ts'
import { webhooks } from './webhooks/index.ts'
import { workflows } from './workflows/index.ts'

const publishing: readonly Family[] = [
  account,
  contacts,
  sales,
  filters,
  sites,
  pages,
  funnels,
  media,
  addresses,
  store,
  orders,
  offers,
  payments,
  purchases,
  appointments,
  fulfillment,
  inventory,
  shipping,
  forms,
  statistics,
  visits,
  emails,
  workflows,
  courses,
  communities,
  blogs,
  members,
]

/** All families. Nothing is registered anywhere else. Webhooks come last, because they need the publications of all others. */
export const families: readonly Family[] = [...publishing, webhooks(publishing.flatMap(({ resources }) => resources))]

/** All resources that Millrace serves. */
export const resources: readonly Resource[] = withReferenceIndexes(families.flatMap((family) => family.resources))

/** All tallies, which add up events of many streams. */
export const tallies: readonly Tally[] = families.flatMap((family) => family.tallies ?? [])

/** Stored names of policies that take references back, from when each of them was declared by its family. */
const REFERENCE_POLICIES: Readonly<Record<string, string>> = {
  'contacts/applied_tag.tag_id': 'tags-leave-contacts',
  'orders/applied_tag.tag_id': 'tags-leave-orders',
  'product.tag_ids': 'tags-leave-products',
  'funnels/show_page_step.page_id': 'deleted-pages-leave',
  'webhooks/incoming/external_purchase_product_mapping.external_purchase_endpoint_id':
    'external-product-mappings-go-with-endpoint',
}

/** All policies, by which the domain reacts to its own events. */
export const policies: readonly Policy[] = [
  ...families.flatMap((family) => family.policies ?? []),
  ...referencePolicies(resources, REFERENCE_POLICIES),
]

/** All jobs, which work on many records in the background. */
export const jobs: readonly Job[] = families.flatMap((family) => family.jobs ?? [])

/** All processes, which span several streams and external services. */
export const processes: readonly Process[] = families.flatMap((family) => family.processes ?? [])

/** Files to delete, by the events that orphan them. */
export const orphanedBlobs: readonly OrphanedBlobs[] = families.flatMap((family) => family.orphanedBlobs ?? [])

/** Events that erase the person, or the record with a key of its own, after whom their stream is named. The key is then destroyed, no matter where the command came from. */
export const erasures: readonly HasEventType[] = resources.flatMap(({ aggregate: { model } }) =>
  Object.entries(model.events).flatMap(([type, { erasesPerson }]) => (erasesPerson ? { type } : [])),
)
