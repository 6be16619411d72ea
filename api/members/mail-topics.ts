import { contacts } from '../../domain/contacts/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { type Html, html } from '../html/html.ts'
import { fieldOf, SHOWN, topicsFor, unwantedIn } from '../mail/topics.ts'
import { filled, masked, wordsFor } from '../mail/words.ts'
import { form } from '../page-app/frame.ts'
import { carryOut } from './carry-out.ts'
import { type Answer, forMembers, type Route, type SignedInRequest } from './request.ts'

const MAIL = '/members/mail'
const SAVED = `${MAIL}?saved`

const choice = (name: string, text: string, isChosen: boolean, about = ''): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="1"${isChosen && html` checked`}> ${text}</label>${about !== '' && html`<p class="quiet">${about}</p>`}`

const recipientOf = ({ viewer: { contact }, workspace }: SignedInRequest) => ({ contact, workspace })

/** Shows what mail the member gets. */
const show = async (request: SignedInRequest): Promise<Answer> => {
  const { ctx, service, business, viewer } = request
  const { contact } = viewer
  const { preferences } = wordsFor((languages) => ctx.acceptsLanguages(languages)).words
  const topics = await topicsFor(recipientOf(request), service.everywhere)
  const values = { business, address: masked(contact.email_address ?? '') }
  const isSubscribed = contact.unsubscribed_at === null
  const choices = topics.map(({ id, name, about, isWanted }) => choice(fieldOf(id), name, isWanted, about))
  const fields = html`${choice('mail', preferences.subscribed, isSubscribed)}
${topics.length > 0 && html`<h2>${preferences.topics}</h2><input type="hidden" name="${SHOWN}" value="${topics.map(({ id }) => id).join(',')}">${choices}`}
<p><button>${preferences.save}</button></p>`
  const notes = [
    ...(contact.email_suppression_reason === null ? [] : [preferences.suppressed]),
    ...(isSubscribed ? [] : [preferences.none]),
  ].map((text) => html`<p>${text}</p>`)
  return {
    title: preferences.title,
    within: MAIL,
    body: html`${ctx.querystring === 'saved' && html`<p class="notice" role="status">${preferences.saved}</p>`}<p>${filled(preferences.text, values)}</p>${notes}${form(request, MAIL, fields)}`,
  }
}

/** Saves what mail the member wants. */
const take = async (request: SignedInRequest, _: readonly number[], sent: URLSearchParams): Promise<Answer> => {
  const { service, viewer } = request
  const { id } = viewer.contact
  const shown = await topicsFor(recipientOf(request), service.everywhere)
  const unwanted_topic_ids = unwantedIn(sent, recipientOf(request), shown)
  const wanted = { by: 'preferences', form_submission_id: null, page_id: null } as const
  const asked = [
    sent.get('mail') === '1' ? ask(contacts, id, 'resubscribe', wanted) : ask(contacts, id, 'unsubscribe', {}),
    ask(contacts, id, 'chooseTopics', { unwanted_topic_ids }),
  ]
  for (const one of asked) {
    const refused = await carryOut(request, one)
    if (refused) throw refused
  }
  return { to: SAVED }
}

/** Page on which a member chooses what mail to get. */
export const mailRoutes: readonly Route[] = [forMembers(/^\/members\/mail$/, { show, take })]
