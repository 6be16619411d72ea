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
  type TellingDeps,
} from '../../domain/emails/public.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { dayAt } from '../../domain/kernel/values/instant.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import { originOf } from '../../domain/sites/public.ts'
import type { MailDeps } from './mail-deps.ts'
import { type Contact, opened } from './recipients.ts'

/** Who tells what, by the kind of the notice. */
const READERS: Readonly<Record<NoticeKind, NoticeReader>> = { section_published: tellSections, ...communityNotices }

export type TellingsDeps = Pick<MailDeps, 'live' | 'loader' | 'memberLinks' | 'now'>

interface Of {
  readonly mailing: SendableMailing
  readonly workspace: Document
}

/** How long a link opens what a mail is about. */
const LINK_MS = 30 * 24 * 60 * 60_000

/** Returns how recipients are linked to pages of the members' side. Without a domain, a workspace has none. */
const linksFor = async (
  { load, memberLinks }: Pick<TellingsDeps, 'memberLinks'> & { readonly load: Loader },
  workspaceId: number,
  at: string,
): Promise<TellingDeps['linkTo']> => {
  const origin = await originOf(load, workspaceId)
  const expires = Math.trunc((Date.parse(at) + LINK_MS) / 1000)
  return ({ id: contactId, email_address: address }, path) =>
    origin === undefined || address === null
      ? null
      : origin + memberLinks.pathOf({ kind: 'reading', contactId, path, expires }, address)
}

/**
 * Reads what the recipients of a notice are told at this moment, by the ids of the contacts: whether they still may see it and want it, and its values.
 * Other mails have the same for all of their recipients.
 */
export const tellingsOf = async (
  { live, loader, memberLinks, now }: TellingsDeps,
  { mailing, workspace }: Of,
  recipients: readonly Contact[],
): Promise<ReadonlyMap<number, Telling>> => {
  if (!isNoticeKind(mailing.kind) || recipients.length === 0) return new Map()
  const load = loader()
  const at = new Date(now(mailing.workspace_id)).toISOString()
  const business = await businessName(workspace, live)
  const told = await READERS[mailing.kind](mailing, recipients, {
    read: readerOver(beside(live, mailing)),
    at,
    day: dayAt(at, zoneOfWorkspace(workspace)),
    locale: localeIn(mailing.values.locale),
    business,
    contacts: async (ids) => {
      const people = ids.length === 0 ? [] : await load.many(contactModel.name, ids)
      return new Map(people.map(opened).map((one) => [one.id, one]))
    },
    linkTo: await linksFor({ load, memberLinks }, mailing.workspace_id, at),
  })
  return new Map(
    [...told].map(([id, one]) => [id, 'values' in one ? { values: { business_name: business, ...one.values } } : one]),
  )
}
