import { delivery, mailing, type Taking } from '../../domain/emails/mailing/model.ts'
import { daysOf, sendingDomains } from '../../domain/emails/rates/sent-by-day.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { inStretches } from '../../domain/kernel/ports/read-on.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import type { MailDeps } from './mail-deps.ts'
import type { RecordedMails } from './pace.ts'
import { domainOf, type RecipientsDeps, recipientsOf } from './recipients.ts'

/** Mailings of one page of a look-up. */
const PAGE = 500

const takingsOf = ({ takings }: Document): readonly Taking[] => (Array.isArray(takings) ? (takings as Taking[]) : [])

/**
 * Yields the mailings of a sending domain whose mails were taken since a time. Mails of test workspaces, which are kept as files, do not count: their clocks may be years ahead.
 */
async function* takenSince(
  live: Pick<ReadModels, 'find' | 'getMany'>,
  domain: string,
  since: number,
): AsyncGenerator<Document> {
  const where = { domain, last_taken_at: { $gte: new Date(since).toISOString() } }
  const query = { where, sort: { by: 'last_taken_at' }, limit: PAGE }
  for await (const page of inStretches((next) => live.find(mailing.name, next), query)) {
    const workspaces = await live.getMany(
      'workspace',
      page.map(({ workspace_id }) => Number(workspace_id)),
    )
    for (const [index, one] of page.entries()) if (workspaces[index]?.test !== true) yield one
  }
}

const openMailing = recordOf(mailing)
const openDelivery = recordOf(delivery)

/** Returns the receiving domains of the mails of a mailing that were taken since a time, with when. */
const receiversIn = async (
  deps: RecipientsDeps & Pick<MailDeps, 'live'>,
  of: Document,
  since: number,
): Promise<readonly (readonly [domain: string, at: string])[]> => {
  const deliveries = (await deps.live.find(delivery.name, { where: { mailing_id: Number(of.id) } })).map(openDelivery)
  const taken = deliveries.filter(({ taken_at: at }) => at !== null && Date.parse(at) >= since)
  const recipients = await recipientsOf(deps, taken, openMailing(of))
  return taken.map(({ id, taken_at }) => [domainOf(recipients.get(id)), taken_at ?? ''])
}

/** Returns what is on record of mails that were handed over. */
export const recordedMails = (deps: RecipientsDeps & Pick<MailDeps, 'live'>): RecordedMails => {
  const { live } = deps
  return {
    days: (domain) => daysOf(domain, live),

    async taken(domain, since) {
      const taken: Taking[] = []
      for await (const one of takenSince(live, domain, since))
        taken.push(...takingsOf(one).filter(({ at }) => Date.parse(at) >= since))
      return taken
    },

    /** Receiving domains are those of the addresses that contacts have now: mailings hold none. */
    async received(since) {
      const received = new Map<string, Taking[]>()
      for (const domain of await sendingDomains(live))
        for await (const one of takenSince(live, domain, since))
          for (const [to, at] of await receiversIn(deps, one, since))
            getOrInsert(received, to, () => [] as Taking[]).push({ at, count: 1 })
      return received
    },
  }
}
