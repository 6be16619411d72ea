import { credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { carryOut } from '../carry-out.ts'
import { spendChallenge } from '../passkeys/challenge.ts'
import { partyOf, toAdd } from '../passkeys/forms.ts'
import { answerIn, checkNewPasskey } from '../passkeys/webauthn.ts'
import { type Answer, forUsers, type Route, type ViewerRequest } from '../request.ts'
import { securityPage } from './page.ts'
import { ADD, LONGEST_NAME, REMOVE, RENAME } from './passkeys-section.ts'
import { SECURITY } from './paths.ts'
import { SECURITY_WORDS } from './words.ts'

const { passkeys: words } = SECURITY_WORDS

/** Returns a name as it is stored; `undefined` for one that cannot be. */
const nameIn = (sent: URLSearchParams, field: string): string | undefined => {
  const name = (sent.get(field) ?? '').replaceAll(/\s+/g, ' ').trim()
  return name !== '' && name.length <= LONGEST_NAME && !/[\p{Cc}\p{Cf}]/u.test(name) ? name : undefined
}

const add = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const { service, viewer } = request
  const party = partyOf(service)
  if (typeof party === 'string') return undefined
  const name = nameIn(sent, 'name')
  if (name === undefined) return securityPage(request, words.badName)
  const answer = answerIn(sent.get('answer'))
  const isOwn = (challenge: string) => spendChallenge(service, toAdd(request), challenge)
  const made = answer ? await checkNewPasskey(party, answer, isOwn) : 'invalid'
  if (typeof made === 'string') return securityPage(request, words[made])
  const passkey = { ...made, name }
  const added = await carryOut(request, ask(credentials, viewer.credentialsId, 'addPasskey', { passkey }))
  return added instanceof Refusal ? securityPage(request, added.message) : { to: SECURITY }
}

const rename = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const name = nameIn(sent, 'new_name')
  if (name === undefined) return securityPage(request, words.badName)
  const wanted = { id: sent.get('id') ?? '', name }
  const result = await carryOut(request, ask(credentials, request.viewer.credentialsId, 'namePasskey', wanted))
  return result instanceof Refusal ? undefined : { to: SECURITY }
}

const remove = async (request: ViewerRequest, sent: URLSearchParams): Promise<Answer> => {
  const wanted = { id: sent.get('id') ?? '' }
  const result = await carryOut(request, ask(credentials, request.viewer.credentialsId, 'removePasskey', wanted))
  if (result instanceof Refusal) throw result
  return { to: SECURITY }
}

const show = (): Answer => ({ to: SECURITY })

/** Where the forms about passkeys go. */
export const passkeyRoutes: readonly Route[] = [
  forUsers(new RegExp(`^${ADD}$`), { show, take: add }),
  forUsers(new RegExp(`^${RENAME}$`), { proof: 'session', show, take: rename }),
  forUsers(new RegExp(`^${REMOVE}$`), { show, take: remove }),
]
