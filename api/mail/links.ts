import { businessName } from '../../domain/emails/public.ts'
import type { MailLink } from '../../domain/kernel/ports/mail-links.ts'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import type { WithBody } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { fieldsOfText, utf8Text } from '../http/utf8.ts'
import { confirmationPage } from './confirmation.ts'
import { mailDownloads } from './downloads.ts'
import { mailFetches } from './fetches.ts'
import { answerMailPage, type Control } from './page.ts'
import type { PageOfLink, Shown } from './page-of-link.ts'
import { paymentPage } from './payment.ts'
import { type FoundMail, type MailService, Recipients } from './recipients.ts'
import { fieldOf, SHOWN, type TopicChoice, topicsFor, unwantedIn } from './topics.ts'
import { filled, type MailWords, masked, wordsFor } from './words.ts'

const PATH = '/m/'
const MOST_BYTES = 16_384
const READING: readonly string[] = ['GET', 'HEAD']

const isSubscribed = ({ contact }: FoundMail): boolean => contact.unsubscribed_at === null

interface Preferences {
  readonly mail: FoundMail
  readonly topics: readonly TopicChoice[]
  readonly isSaved?: boolean
}

const topicControls = (topics: readonly TopicChoice[], heading: string): readonly Control[] =>
  topics.length === 0
    ? []
    : [
        { type: 'heading', text: heading },
        { type: 'value', name: SHOWN, value: topics.map(({ id }) => id).join(',') },
        ...topics.map(
          ({ id, name, about, isWanted }): Control => ({
            ...{ type: 'choice', name: fieldOf(id), text: name, about, isChosen: isWanted },
          }),
        ),
      ]

const preferencesPage = ({ mail, topics, isSaved }: Preferences, { preferences }: MailWords): Shown => ({
  title: preferences.title,
  sentences: [
    ...(isSaved ? [preferences.saved] : []),
    preferences.text,
    ...(mail.contact.email_suppression_reason === null ? [] : [preferences.suppressed]),
    ...(isSubscribed(mail) ? [] : [preferences.none]),
  ],
  controls: [
    { type: 'choice', name: 'mail', text: preferences.subscribed, isChosen: isSubscribed(mail) },
    ...topicControls(topics, preferences.topics),
    { type: 'button', text: preferences.save, value: 'save' },
  ],
})

/** Returns the page of each kind of link that a person uses. Showing one changes nothing: programs that look for dangers fetch all links of all mails. */
const pagesOf = (recipients: Recipients, service: MailService): Partial<Record<MailLink['kind'], PageOfLink>> => ({
  unsubscribe: {
    act: 'unsubscribe',
    show: (mail, { unsubscribe, unsubscribed }) =>
      isSubscribed(mail)
        ? {
            title: unsubscribe.title,
            sentences: [unsubscribe.text],
            controls: [{ type: 'button', text: unsubscribe.button, value: 'unsubscribe' }],
          }
        : { title: unsubscribed.title, sentences: [unsubscribed.text] },
    async take(mail, _sent, { unsubscribed }) {
      await recipients.unsubscribe(mail)
      const url = service.mailLinks.urlOf({ kind: 'preferences', deliveryId: mail.delivery.id })
      return {
        title: unsubscribed.title,
        sentences: [unsubscribed.text],
        controls: [{ type: 'link', text: unsubscribed.back, url }],
      }
    },
  },
  preferences: {
    act: 'save',
    show: async (mail, words) => preferencesPage({ mail, topics: await topicsFor(mail, service.everywhere) }, words),
    async take(mail, sent, words) {
      const isWanted = sent.get('mail') === '1'
      const wanted = { by: 'preferences', form_submission_id: null, page_id: null }
      if (isWanted) await recipients.act(mail, { of: 'contact', name: 'resubscribe', wanted })
      else await recipients.unsubscribe(mail)
      const shown = await topicsFor(mail, service.everywhere)
      const unwanted_topic_ids = unwantedIn(sent, mail, shown)
      await recipients.act(mail, { of: 'contact', name: 'chooseTopics', wanted: { unwanted_topic_ids } })
      const unsubscribed_at = isWanted ? null : (mail.contact.unsubscribed_at ?? '')
      const topics = shown.map((one) => ({ ...one, isWanted: !unwanted_topic_ids.includes(one.id) }))
      const after = { ...mail, contact: { ...mail.contact, unsubscribed_at } }
      return preferencesPage({ mail: after, topics, isSaved: true }, words)
    },
  },
  confirm: confirmationPage(recipients, service),
  pay: paymentPage(recipients, service),
})

/** Whether a multipart form asks to unsubscribe by one click. */
const ONE_CLICK_PART =
  /^content-disposition:[^\n]*name="?list-unsubscribe"?[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\none-click\s/im

/** Whether a mail program asks to unsubscribe by one click (RFC 8058), in a form of either kind. */
const isOneClick = (body: string): boolean =>
  ONE_CLICK_PART.test(body) ||
  [...fieldsOfText(body)].some(([name, value]) => /^list-unsubscribe$/i.test(name) && /^\s*one-click\s*$/i.test(value))

/** Asks somebody to come again, where nothing can be noted at the moment. @throws {unknown} any other error */
const answerBusy = (ctx: ApiContext, error: unknown): void => {
  const refusal = refusalIn(error)
  if (refusal?.kind !== 'unavailable') throw error
  const seconds = String(refusal.retryAfter ?? 1)
  ctx.set({ 'Retry-After': seconds, ...(READING.includes(ctx.method) && { Refresh: seconds }) })
  const { words, language } = wordsFor((languages) => ctx.acceptsLanguages(languages))
  answerMailPage(ctx, 503, { language, title: words.busy.title, sentences: [words.busy.text] })
}

/** Serves what the links of mails lead to (`/m/…`). A token that is not ours, or of a mail that is gone, has the same page as any other. */
export const mailLinkPages = (service: MailService, withBody: WithBody) => {
  const recipients = new Recipients(service)
  const pages = pagesOf(recipients, service)

  const answer = async (
    ctx: ApiContext,
    mail: FoundMail | undefined,
    page: (words: MailWords) => Promise<Shown> | Shown,
  ) => {
    const { words, language } = wordsFor((languages) => ctx.acceptsLanguages(languages))
    const { status = 200, title, sentences, controls = [] } = await page(words)
    const values = {
      business: mail ? await businessName(mail.workspace, service.everywhere) : '',
      address: masked(mail?.contact.email_address ?? ''),
    }
    answerMailPage(ctx, status, { language, title, sentences: sentences.map((text) => filled(text, values)), controls })
  }
  const answerInvalid = (ctx: ApiContext) =>
    answer(ctx, undefined, ({ invalid }) => ({ status: 404, title: invalid.title, sentences: [invalid.text] }))

  const fetched = mailFetches(service, recipients)
  const isDownload = mailDownloads(service, recipients)

  const post = async (ctx: ApiContext, link: MailLink, page: PageOfLink): Promise<void> => {
    const body = await withBody(ctx, MOST_BYTES, async (bytes) => utf8Text(bytes))
    const mail = await recipients.find(link.deliveryId)
    if (link.kind === 'unsubscribe' && isOneClick(body)) {
      if (mail) await recipients.unsubscribe(mail)
      else await recipients.leave(link.deliveryId)
      ctx.status = 200
      ctx.type = 'text/plain'
      ctx.body = ''
      return
    }
    if (!mail) return answerInvalid(ctx)
    const sent = fieldsOfText(body)
    const isAsked = sent.get('act') === page.act
    await answer(ctx, mail, async (words) =>
      isAsked ? page.take(mail, sent, words) : { ...(await page.show(mail, words)), status: 400 },
    )
  }

  const serve = async (ctx: ApiContext, link: MailLink): Promise<void> => {
    const isRead = ctx.method !== 'POST'
    if (isRead && ((await fetched(ctx, link)) || (await isDownload(ctx, link)))) return
    const page = pages[link.kind]
    if (!page) return answerInvalid(ctx)
    if (!isRead) return post(ctx, link, page)
    const mail = await recipients.find(link.deliveryId)
    await (mail ? answer(ctx, mail, (words) => page.show(mail, words)) : answerInvalid(ctx))
  }

  return async function mailLink(ctx: ApiContext, next: Next): Promise<unknown> {
    if (!ctx.path.startsWith(PATH)) return next()
    ctx.state.operation = 'mail link'
    const link = service.mailLinks.read(ctx.path.slice(PATH.length))
    if (!link) return answerInvalid(ctx)
    const methods = pages[link.kind] ? [...READING, 'POST'] : READING
    if (!methods.includes(ctx.method)) {
      ctx.set('Allow', methods.join(', '))
      return answer(ctx, undefined, ({ invalid }) => ({ status: 405, title: invalid.title, sentences: [] }))
    }
    try {
      return await serve(ctx, link)
    } catch (error) {
      return answerBusy(ctx, error)
    }
  }
}
