import type { Document, ReadModels } from '../../kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../kernel/values/event.ts'
import type { Tally, TallyChange } from '../../resources/tally.ts'
import { mailing, type Settled } from '../mailing/model.ts'
import { type DayCounts, dayOf } from './warm-up.ts'

/** Collection of the mails of a sending domain and workspace by day. */
const SENT = 'emails/sent_by_day'
/** Collection of what must be known of mailings to count their mails. */
const MAILINGS = 'emails/sent_mailing'

const { MailingBegun, DeliveriesTaken, DeliveriesSettled } = mailing.event

/** What became of mails that were taken, and that no server took or refused for good. */
const NOT_SENT: readonly string[] = ['kept', 'returned', 'deferred'] satisfies readonly Settled['outcome'][]

const countIn = ({ type, data }: RecordedEvent): number => {
  if (type === DeliveriesTaken.type) return Array.isArray(data.delivery_ids) ? data.delivery_ids.length : 0
  if (type !== DeliveriesSettled.type || !Array.isArray(data.outcomes)) return 0
  return -data.outcomes.filter((one) => NOT_SENT.includes(String(Object(one).outcome))).length
}

const factsAfter = (_: unknown, { type, data }: RecordedEvent): JsonObject | undefined =>
  type === MailingBegun.type ? { domain: data.domain ?? null } : undefined

/** Mails of each sending domain by day, by which new ones are warmed up. */
export const sentByDay: Tally = {
  name: 'emails/sent_by_day',
  version: 1,
  aggregates: [mailing.name],
  collections: [
    { name: SENT, indexes: [{ fields: ['domain'] }] },
    { name: MAILINGS, ids: 'integer', indexes: [] },
  ],
  facts: { collection: MAILINGS, aggregate: mailing.name, after: factsAfter },
  changes(event, facts): readonly TallyChange[] {
    const count = countIn(event)
    const { workspace_id = 0, at } = event.metadata
    if (count === 0 || !facts) return []
    return [
      {
        collection: SENT,
        id: `${workspace_id}/${facts.domain}`,
        addTo(content, draft) {
          const day = dayOf(Date.parse(at))
          const days = draft(Object(content.days ?? {}))
          days[day] = Number(days[day] ?? 0) + count
          Object.assign(content, { domain: facts.domain, workspace_id, days })
        },
      },
    ]
  },
}

/** Returns the mails of a sending domain by day, over all workspaces but those for tests, whose mail reaches nobody. */
export const daysOf = async (domain: string, live: Pick<ReadModels, 'find' | 'getMany'>): Promise<DayCounts> => {
  const found = await live.find(SENT, { where: { domain } })
  const workspaces = await live.getMany(
    'workspace',
    found.map(({ workspace_id }) => Number(workspace_id)),
  )
  const counts = new Map<string, number>()
  for (const [index, { days }] of found.entries()) {
    if (workspaces[index]?.test === true) continue
    for (const [day, count] of Object.entries(Object(days))) counts.set(day, (counts.get(day) ?? 0) + Number(count))
  }
  return counts
}

/** Returns the sending domains that have sent, one for each workspace. */
export const sendingDomains = async (live: Pick<ReadModels, 'find'>): Promise<readonly string[]> => {
  const found: readonly Document[] = await live.find(SENT, { where: {} })
  return [...new Set(found.map(({ domain }) => String(domain)))].sort()
}
