import { mailing, type Taking } from '../../domain/emails/mailing/model.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'

/** Mailings of one page of a look-up. */
const PAGE = 500

const takingsOf = ({ takings }: Document): readonly Taking[] => (Array.isArray(takings) ? (takings as Taking[]) : [])

/**
 * Returns a function that gives the times at which mails of a sending domain were taken since a time, one for each attempt. Mails of test workspaces, which
 * are kept as files, do not count: their clocks may be years ahead.
 */
export const recordedTimes =
  ({ live }: { readonly live: Pick<ReadModels, 'find' | 'getMany'> }) =>
  async (domain: string, since: number): Promise<readonly number[]> => {
    const where = { domain, last_taken_at: { $gte: new Date(since).toISOString() } }
    const times: number[] = []
    for (let after: Document | undefined; ; ) {
      const place = after && { id: after.id, value: after.last_taken_at ?? null }
      const page = await live.find(mailing.name, {
        ...{ where, sort: { by: 'last_taken_at' }, limit: PAGE },
        ...(place && { after: place }),
      })
      const workspaces = await live.getMany(
        'workspace',
        page.map(({ workspace_id }) => Number(workspace_id)),
      )
      for (const [index, one] of page.entries()) {
        if (workspaces[index]?.test === true) continue
        for (const { at, count } of takingsOf(one)) {
          const time = Date.parse(at)
          if (time >= since) times.push(...Array.from({ length: count }, () => time))
        }
      }
      after = page.at(-1)
      if (page.length < PAGE) return times
    }
  }
