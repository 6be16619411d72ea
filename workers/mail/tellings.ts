import { communityNotices } from '../../domain/communities/public.ts'
import { contact as contactModel } from '../../domain/contacts/public.ts'
import { tellSections } from '../../domain/courses/public.ts'
import type { SendableMailing } from '../../domain/emails/mailing/model.ts'
import {
  businessName,
  isNoticeKind,
  localeIn,
  type NoticeKind,
  type NoticeReader,
  type Telling,
} from '../../domain/emails/public.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { dayAt } from '../../domain/kernel/values/instant.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { MailDeps } from './mail-deps.ts'
import { type Contact, opened } from './recipients.ts'

/** Who tells what, by the kind of the notice. */
const READERS: Readonly<Record<NoticeKind, NoticeReader>> = { section_published: tellSections, ...communityNotices }

export type TellingsDeps = Pick<MailDeps, 'live' | 'loader' | 'now'>

interface Of {
  readonly mailing: SendableMailing
  readonly workspace: Document
}

/**
 * Reads what the recipients of a notice are told at this moment, by the ids of the contacts: whether they still may see it and want it, and its values.
 * Other mails have the same for all of their recipients.
 */
export const tellingsOf = async (
  { live, loader, now }: TellingsDeps,
  { mailing, workspace }: Of,
  recipients: readonly Contact[],
): Promise<ReadonlyMap<number, Telling>> => {
  if (!isNoticeKind(mailing.kind) || recipients.length === 0) return new Map()
  const load = loader()
  const at = new Date(now(mailing.workspace_id)).toISOString()
  const told = await READERS[mailing.kind](mailing, recipients, {
    read: readerOver(live),
    at,
    day: dayAt(at, zoneOfWorkspace(workspace)),
    locale: localeIn(mailing.values.locale),
    contacts: async (ids) => {
      const people = ids.length === 0 ? [] : await load.many(contactModel.name, ids)
      return new Map(people.map(opened).map((one) => [one.id, one]))
    },
    linkTo: () => null,
  })
  const business_name = await businessName(workspace, live)
  return new Map(
    [...told].map(([id, one]) => [id, 'values' in one ? { values: { business_name, ...one.values } } : one]),
  )
}
