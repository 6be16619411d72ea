import type { contact } from '../../contacts/public.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { MailingRecord } from '../mailing/model.ts'
import type { Locale } from './kinds.ts'

type Contact = RecordOf<typeof contact>

/**
 * Why a recipient gets nothing of a notice: it may not see what it is about, has turned it off, or the community has, it has read or been told everything, or it
 * is too late.
 */
export type Withheld = 'no_access' | 'turned_off' | 'muted' | 'nothing_new' | 'outdated'

/** What a recipient of a notice is told at this moment, or why nothing. */
export type Telling = { readonly values: JsonObject } | { readonly withheld: Withheld }

/** What a notice is read with. */
export interface TellingDeps {
  readonly read: Reader
  /** Present time of the workspace. */
  readonly at: string
  /** Day of that in the zone of the workspace, `YYYY-MM-DD`. */
  readonly day: string
  readonly locale: Locale
  /** Name of the business that the workspace is. */
  readonly business: string
  /** Reads contacts with their personal attributes, by their ids. */
  contacts(ids: readonly number[]): Promise<ReadonlyMap<number, Contact>>
  /** Returns a link by which a contact reads one page of the members' side, and nothing else; `null`: it has no address. */
  linkTo(contact: Contact, path: string): string | null
}

/** Tells the recipients of a notice what they get of it, by the ids of the contacts. */
export type NoticeReader = (
  notice: Pick<MailingRecord, 'id' | 'kind' | 'values' | 'created_at'>,
  recipients: readonly Contact[],
  deps: TellingDeps,
) => Promise<ReadonlyMap<number, Telling>>
