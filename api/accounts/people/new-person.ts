import { credentials, user, userByAddress } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { filled } from '../../html/filled.ts'
import { html } from '../../html/html.ts'
import { countedAs } from '../../http/failed-attempts.ts'
import { carryOut, openCredentials } from '../carry-out.ts'
import { finishSignIn } from '../finish.ts'
import { isTooLong, isTooShort, LEAST_CHARACTERS, MOST_BYTES } from '../passwords.ts'
import type { AccountPage, AccountRequest, Answer } from '../request.ts'
import { field } from '../shell.ts'
import { credentialsOf } from '../signed-in.ts'
import { WORDS as ALL } from '../words.ts'
import { joinTeam } from './join.ts'
import type { OpenedInvitation } from './opened.ts'
import { teamPath } from './team-path.ts'
import { WORDS } from './words.ts'

const { invitation: words } = WORDS

const MOST_NAME = 255

/** What a new person puts in. */
interface Person {
  readonly first_name: string
  readonly last_name: string
  readonly password: string
}

type Problems = { readonly [name in keyof Person]?: string }

const sentPerson = (sent: URLSearchParams): Person => ({
  first_name: (sent.get('first_name') ?? '').trim(),
  last_name: (sent.get('last_name') ?? '').trim(),
  password: sent.get('password') ?? '',
})

const isName = (text: string): boolean =>
  text !== '' && text.length <= MOST_NAME && text.isWellFormed() && !text.includes('\u0000')

const passwordProblem = (password: string): string | undefined => {
  if (isTooLong(password)) return filled(ALL.tooLong, { most: MOST_BYTES })
  // Without a password, links in mails are the way in.
  return password !== '' && isTooShort(password) ? filled(ALL.tooShort, { least: LEAST_CHARACTERS }) : undefined
}

const problemsOf = ({ first_name, last_name, password }: Person): Problems => {
  const nameMissing = filled(words.nameMissing, { most: MOST_NAME })
  const wrong = passwordProblem(password)
  return {
    ...(!isName(first_name) && { first_name: nameMissing }),
    ...(!isName(last_name) && { last_name: nameMissing }),
    ...(wrong !== undefined && { password: wrong }),
  }
}

/** Shows the form by which somebody without an account opens one. */
export const showNew = (
  { path, invitation, team }: OpenedInvitation,
  { first_name = '', last_name = '' }: Partial<Person> = {},
  problems: Problems = {},
): AccountPage => {
  const values = { address: invitation.email, team: team.name }
  const isWrong = Object.keys(problems).length > 0
  return {
    ...(isWrong && { status: 422 }),
    title: filled(words.title, values),
    body: html`<p>${filled(words.text, values)}</p><p>${filled(words.isNew, values)}</p>
<form method="post" action="${path}">
${field({ name: 'first_name', label: words.firstName, type: 'text', autocomplete: 'given-name', value: first_name, problem: problems.first_name })}
${field({ name: 'last_name', label: words.lastName, type: 'text', autocomplete: 'family-name', value: last_name, problem: problems.last_name })}
${field({ name: 'password', label: ALL.newPassword, type: 'password', autocomplete: 'new-password', isOptional: true, problem: problems.password, hint: filled(words.passwordHint, { least: LEAST_CHARACTERS }) })}
<p><button>${filled(words.open, values)}</button></p></form>`,
  }
}

/** Registers the user of the invited address. @returns `undefined` when the address has just been taken */
const register = async (
  request: AccountRequest,
  { invitation, team }: OpenedInvitation,
  { first_name, last_name }: Person,
): Promise<number | undefined> => {
  const { ids, everywhere: live } = request.service
  const id = await withIds(ids, () => ids.next(user.name))
  const details = { email: invitation.email, first_name, last_name, time_zone: null, locale: 'en' }
  const wanted = { ...details, platform_agent: false }
  const result = await carryOut(request, ask(user.aggregate, id, 'create', wanted, { isNew: true }), {
    teamId: team.id,
  })
  if (!(result instanceof Refusal)) return id
  if (await userByAddress(invitation.email, live)) return undefined
  throw result
}

/** Sets the first password, by a link of which nobody knows. */
const setPassword = async (request: AccountRequest, userId: number, password: string): Promise<void> => {
  const issued = await carryOut(request, ask(credentials, userId, 'issueLink', { purpose: 'reset', to: null }))
  const number = (await credentialsOf(request.service, userId))?.link_count ?? 0
  const set = await carryOut(request, ask(credentials, userId, 'resetPassword', { password, number }))
  for (const result of [issued, set]) if (result instanceof Refusal) throw result
}

/**
 * Opens an account for the invited address, which the link proves, joins the team and signs in.
 *
 * @returns `undefined` when there is an account with the address already
 */
export const openAccount = async (
  request: AccountRequest,
  opened: OpenedInvitation,
  sent: URLSearchParams,
): Promise<Answer> => {
  const person = sentPerson(sent)
  const problems = problemsOf(person)
  if (Object.keys(problems).length > 0) return showNew(opened, person, problems)
  // Computed first: when too many wait, nothing has happened yet.
  const { ctx, guards } = request
  const digest = person.password && (await guards.passwords.digestOf(person.password, countedAs(ctx.ip)))
  const userId = await register(request, opened, person)
  if (userId === undefined) return undefined
  await openCredentials(request, userId)
  if (digest !== '') await setPassword(request, userId, digest)
  const refused = await joinTeam(request, opened, userId)
  if (refused) throw refused
  const held = await credentialsOf(request.service, userId)
  if (!held) throw new Error('the credentials that were just opened are gone')
  const finished = await finishSignIn(request, {
    held,
    number: null,
    to: teamPath(opened.team.id),
  })
  if (finished instanceof Refusal) throw finished
  return finished
}
