import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { MailTexts } from '../composing/compose.ts'
import { beginMailing } from '../mailing/begin.ts'
import { settingsOf } from '../settings/view.ts'
import { type Locale, localeIn, type OwedKind, type StandardKind } from './kinds.ts'
import { textInEffect } from './texts.ts'

/** Ids of the records that a mail is about. Its values are read from these when it is handed over. */
export type OwedAbout = {
  readonly [name in
    | 'order_id'
    | 'invoice_id'
    | 'fulfillment_id'
    | 'form_submission_id'
    | 'account_id'
    | 'link']?: number
}

/** A mail that a contact is owed. */
export interface OwedMail {
  readonly kind: OwedKind
  /** What it is for, by which it is begun once. */
  readonly cause: string
  readonly contactId: number
  readonly workspaceId: number
  readonly about: OwedAbout
}

/** Returns the language of a workspace, which is that of its team. */
const localeOf = async (workspaceId: number, read: Pick<FactReader, 'get'>): Promise<Locale> => {
  const workspace = await read.get('workspace', workspaceId)
  const team = await read.get('team', Number(workspace?.team_id))
  return localeIn(team?.locale)
}

/** Returns the language and the text of mails of a kind; `undefined`: the workspace sends none. */
export const wordsOf = async (
  kind: StandardKind,
  workspaceId: number,
  read: FactReader,
): Promise<{ readonly locale: Locale; readonly text: MailTexts } | undefined> => {
  const { owed_off } = await settingsOf(workspaceId, read)
  if (owed_off.includes(kind)) return undefined
  const locale = await localeOf(workspaceId, read)
  return { locale, text: await textInEffect(workspaceId, { kind, locale }, read) }
}

/**
 * Returns the command that begins a mail, unless the workspace sends none of its kind. The mail names its recipient and what it is about by ids alone, and
 * gets its sender when it is handed over.
 */
export const beginOwed = async (
  { kind, cause, contactId, workspaceId, about }: OwedMail,
  read: FactReader,
): Promise<readonly Ask[]> => {
  const words = await wordsOf(kind, workspaceId, read)
  if (!words) return []
  const { locale, text } = words
  return [
    beginMailing({
      class: 'owed',
      kind,
      cause: `${kind}-${cause}`,
      content: { ...text, footer: null, tracks_opens: false, tracks_clicks: false },
      values: { ...about, locale },
      contactIds: [contactId],
    }),
  ]
}
