import { account } from './account/index.ts'
import { addresses } from './addresses/index.ts'
import { appointments } from './appointments/index.ts'
import { contacts } from './contacts/index.ts'
import { filters } from './filters/index.ts'
import { fulfillment } from './fulfillment/index.ts'
import { funnels } from './funnels/index.ts'
import { inventory } from './inventory/index.ts'
import type { Policy } from './kernel/react/policy.ts'
import type { HasEventType } from './kernel/values/event.ts'
import { media } from './media/index.ts'
import { orders } from './orders/index.ts'
import { pages } from './pages/index.ts'
import { payments } from './payments/index.ts'
import { purchases } from './purchases/index.ts'
import type { Family, OrphanedBlobs } from './resources/family.ts'
import type { Job } from './resources/jobs/job.ts'
import type { Process } from './resources/process/index.ts'
import type { Resource } from './resources/resource.ts'
import { sales } from './sales/index.ts'
import { shipping } from './shipping/index.ts'
import { sites } from './sites/index.ts'
import { store } from './store/index.ts'
import { webhooks } from './webhooks/index.ts'

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
  payments,
  purchases,
  appointments,
  fulfillment,
  inventory,
  shipping,
]

/** Every family. Nothing is registered anywhere else; webhooks come last, because they stand on what all others publish. */
export const families: readonly Family[] = [...publishing, webhooks(publishing.flatMap(({ resources }) => resources))]

/** Every resource that Millrace serves. */
export const resources: readonly Resource[] = families.flatMap((family) => family.resources)

/** How the domain reacts to itself. */
export const policies: readonly Policy[] = families.flatMap((family) => family.policies ?? [])

/** What is done to many records in the background. */
export const jobs: readonly Job[] = families.flatMap((family) => family.jobs ?? [])

/** What spans several streams and the outside. */
export const processes: readonly Process[] = families.flatMap((family) => family.processes ?? [])

/** What of their files goes, and when. */
export const orphanedBlobs: readonly OrphanedBlobs[] = families.flatMap((family) => family.orphanedBlobs ?? [])

/** Events by which the person that their stream is named after is erased: the key goes, whoever asked for it. */
export const erasures: readonly HasEventType[] = resources.flatMap(({ aggregate: { model } }) =>
  Object.entries(model.events).flatMap(([type, { erasesPerson }]) =>
    erasesPerson && model.person === undefined ? { type } : [],
  ),
)
