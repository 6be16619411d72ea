import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { MailTexts } from '../composing/compose.ts'
import type { Locale, StandardKind } from './kinds.ts'
import { standardTemplate } from './layout.ts'
import { owedTemplate } from './model.ts'

/** Which mail, and in which language. */
export interface WhichOwed {
  readonly kind: StandardKind
  readonly locale: Locale
}

/** Own texts of a workspace. What is `null` is as it is without any. */
export interface OwnTexts {
  readonly subject: string | null
  readonly preheadline: string | null
  readonly html_body: string | null
  readonly text_body: string | null
}

/** Returns the text of a mail: the workspace's own where it has one, and the standard one otherwise. */
export const withStandard = ({ kind, locale }: WhichOwed, own: OwnTexts | undefined): MailTexts => {
  const standard = standardTemplate(kind, locale)
  return {
    subject: own?.subject ?? standard.subject,
    preheadline: own?.preheadline ?? standard.preheadline,
    html_body: own?.html_body ?? standard.html_body,
    text_body: own?.text_body ?? null,
  }
}

/** Returns the text that a mail of a workspace has now. */
export const textInEffect = async (workspaceId: number, which: WhichOwed, read: FactReader): Promise<MailTexts> => {
  const where = { workspace_id: workspaceId, kind: which.kind, locale: which.locale }
  const [own] = await readerOver(read).find(owedTemplate, { where, limit: 1 })
  return withStandard(which, own)
}
