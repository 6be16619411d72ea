import { membership, NOTIFICATIONS, participations } from '../../../domain/communities/public.ts'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { type Html, html } from '../../html/html.ts'
import { form } from '../../page-app/frame.ts'
import { carryOut } from '../carry-out.ts'
import type { Answer, SignedInRequest } from '../request.ts'
import { type Acting, type InCommunity, inCommunity, isActing } from './access.ts'
import { page } from './parts.ts'
import { pathOf } from './paths.ts'

const DIGEST = { daily: true, never: false } as const

const digestOf = (sent: boolean | null): string => (sent === null ? '' : sent ? 'daily' : 'never')

interface Choice {
  readonly name: string
  readonly label: string
  /** Texts by their values. The empty value is what the community says. */
  readonly options: Readonly<Record<string, string>>
  readonly chosen: string
}

const choiceShown = ({ name, label, options, chosen }: Choice, standard: string): Html => {
  const all = Object.entries({ '': standard, ...options })
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${all.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>`
}

/** Link to the page on which a member chooses what mail to get from a community. */
export const mailLink = ({ words, community: { id } }: InCommunity): Html =>
  html`<p><a href="${pathOf.community(id)}/mail">${words.mail.title}</a></p>`

const shown = (at: Acting<InCommunity>): Html => {
  const { mail } = at.words
  const own = at.member.membership
  const { all, essential, off } = mail
  const notifications = { name: 'notifications', label: mail.notifications, options: { all, essential, off } }
  const digest = { name: 'digest', label: mail.digest, options: { daily: mail.daily, never: mail.never } }
  const fields = html`${choiceShown({ ...notifications, chosen: own.notifications ?? '' }, mail.standard)}
${choiceShown({ ...digest, chosen: digestOf(own.send_digest_email) }, mail.standard)}<p><button>${mail.save}</button></p>`
  return form(at.request, `${pathOf.community(at.community.id)}/mail`, fields)
}

/** Shows what mail a member gets from a community. */
export const showMail = async (request: SignedInRequest, [id = 0]: readonly number[]): Promise<Answer> => {
  const at = await inCommunity(request, id)
  return at && isActing(at) ? page(at.words.mail.title, shown(at)) : undefined
}

/** Saves what mail a member wants from a community. What is none of the choices is what the community says. */
export const takeMail = async (
  request: SignedInRequest,
  [id = 0]: readonly number[],
  sent: URLSearchParams,
): Promise<Answer> => {
  const at = await inCommunity(request, id)
  if (!at || !isActing(at)) return undefined
  const own = at.member.membership
  const digest = sent.get('digest') ?? ''
  const wanted = {
    notifications: NOTIFICATIONS.find((one) => one === sent.get('notifications')) ?? null,
    send_digest_email: digest === 'daily' || digest === 'never' ? DIGEST[digest] : null,
  }
  const refused = await carryOut(
    request,
    ask(within(participations, own.participation_id, membership), own.id, 'change', wanted),
  )
  if (refused) throw refused
  return { to: pathOf.community(id) }
}
