import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Detail } from '../../kernel/values/refusal.ts'
import { zoneOfWorkspace } from '../../resources/attributes/time-zone.ts'
import { address } from '../address/model.ts'
import { usableSenders } from '../address/usable.ts'
import { problemsOnSaving } from '../composing/saving.ts'
import type { MailContent, Sender } from '../mailing/model.ts'
import { footerFrom } from '../settings/footer.ts'
import { isAddressComplete, settingsOf } from '../settings/view.ts'
import { template } from '../template/model.ts'
import { topic } from '../topic/model.ts'

/** What decides whether a broadcast can be sent. */
export interface Draft {
  readonly subject: string | null
  readonly preheadline: string | null
  readonly from_email: string | null
  readonly reply_to_email: string | null
  readonly template_id: number | null
  readonly topic_ids: readonly number[]
  readonly filter: JsonObject | null
  readonly contact_ids: readonly number[]
}

/** A broadcast as it would be sent now. */
export interface Readiness {
  /** What is missing, in sentences; none: it can be sent. */
  readonly missing: readonly string[]
  readonly content: MailContent
  readonly sender: Sender
  readonly replyTo: Sender | null
  /** Zone of the workspace. */
  readonly zone: string
}

/** Texts that are not in a template yet, since the same request makes that. */
export interface OwnBodies {
  readonly html_body: string | null
  readonly text_body: string | null
}

type SenderRecord = RecordOf<typeof address>
type Texts = Pick<RecordOf<typeof template>, 'html_body' | 'text_body'> & { readonly subject: string | null }

/** Returns texts of a template that is made with a draft, whose subject is the draft's. */
const ownTexts = (own: OwnBodies | undefined): Texts | undefined => own && { ...own, subject: null }

const isBlank = (text: string | null | undefined): boolean => !text || text.trim() === ''

/** Finds the sender with an address, in whatever case it is written. */
export const senderAt = (
  senders: readonly SenderRecord[],
  email: string | null | undefined,
): SenderRecord | undefined => senders.find((one) => one.email_address?.toLowerCase() === email?.toLowerCase())

/** Returns the senders of a workspace. */
export const sendersOf = (workspaceId: number, read: Reader) =>
  read.find(address, { where: { workspace_id: workspaceId } })

const boxOf = (sender: SenderRecord | undefined): Sender => ({
  name: sender?.name ?? null,
  address: sender?.email_address ?? '',
})

const topicsMissing = (ids: readonly number[], topics: readonly RecordOf<typeof topic>[]): readonly string[] => {
  if (ids.length === 0) return ["Topic ids can't be blank"]
  const live = new Set(topics.filter(({ archived }) => !archived).map(({ id }) => id))
  return ids.every((id) => live.has(id)) ? [] : ['Topic ids must not name archived topics']
}

/** Returns the texts that a draft would be sent with. @param texts of its template */
export const textsOf = (
  { subject, preheadline }: Pick<Draft, 'subject' | 'preheadline'>,
  texts: Texts | undefined,
) => ({
  subject: (isBlank(subject) ? texts?.subject : subject) ?? '',
  preheadline,
  html_body: texts?.html_body ?? null,
  text_body: texts?.text_body ?? null,
})

interface Found {
  readonly isComplete: boolean
  readonly usable: ReadonlySet<number>
  readonly from: SenderRecord | undefined
  readonly replyTo: SenderRecord | undefined
  readonly texts: Texts | undefined
}

const missingOf = (draft: Draft, { isComplete, usable, from, replyTo, texts }: Found): readonly string[] => [
  ...(from && usable.has(from.id) ? [] : ['From email is not usable as a sender']),
  ...(draft.reply_to_email === null || (replyTo && usable.has(replyTo.id))
    ? []
    : ['Reply to email is not usable as a sender']),
  ...(isComplete ? [] : ['A complete business mailing address is required to send marketing emails']),
  ...(draft.filter === null && draft.contact_ids.length === 0 ? ["Filter can't be blank"] : []),
  ...(isBlank(draft.subject) && isBlank(texts?.subject) ? ["Subject can't be blank"] : []),
  ...(isBlank(texts?.html_body) && isBlank(texts?.text_body) ? ["Template can't be blank"] : []),
]

/** Returns what is wrong with the texts of a draft, tried out together with those of its template. */
export const problemsOfDraft = async (
  workspaceId: number,
  { before, after, own }: { readonly before: Draft | undefined; readonly after: Draft; readonly own?: OwnBodies },
  read: Reader,
): Promise<readonly Detail[]> => {
  const [had, has] = await Promise.all([read.one(template, before?.template_id), read.one(template, after.template_id)])
  const mails = { before: before && textsOf(before, had), after: textsOf(after, has ?? ownTexts(own)) }
  const isOfTemplate = (field: string) =>
    field === 'subject' ? isBlank(after.subject) : field !== 'preheadline' && own === undefined
  const problems = await problemsOnSaving(workspaceId, mails, read)
  return problems.map((one) => (isOfTemplate(one.field) ? { ...one, field: 'template_id' } : one))
}

/** Returns a broadcast as it would be sent now, with what is missing. @param own texts of a template that is made with it */
export const loadReadiness = async (
  draft: Draft,
  workspaceId: number,
  read: Reader,
  own?: OwnBodies,
): Promise<Readiness> => {
  const { documents } = read
  const [isComplete, usable, senders, topics, found, settings, workspace] = await Promise.all([
    isAddressComplete(workspaceId, documents),
    usableSenders(workspaceId, documents),
    sendersOf(workspaceId, read),
    read.many(topic, draft.topic_ids),
    read.one(template, draft.template_id),
    settingsOf(workspaceId, documents),
    documents.get('workspace', workspaceId),
  ])
  const from = senderAt(senders, draft.from_email)
  const { marketing_emails_reply_to_address_id: usual } = settings
  const replyTo =
    draft.reply_to_email === null ? senders.find(({ id }) => id === usual) : senderAt(senders, draft.reply_to_email)
  const texts = found ?? ownTexts(own)
  return {
    missing: [
      ...topicsMissing(draft.topic_ids, topics),
      ...missingOf(draft, { isComplete, usable, from, replyTo, texts }),
    ],
    content: {
      ...textsOf(draft, texts),
      footer: footerFrom(settings),
      tracks_opens: true,
      tracks_clicks: true,
    },
    sender: boxOf(from),
    replyTo: replyTo ? boxOf(replyTo) : null,
    zone: zoneOfWorkspace(workspace),
  }
}
