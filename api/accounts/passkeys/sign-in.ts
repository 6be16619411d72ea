import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { finishSignIn } from '../finish.ts'
import type { AccountRequest, Answer, Route } from '../request.ts'
import { SECURITY_WORDS } from '../security/words.ts'
import { signInPage } from '../sign-in.ts'
import { credentialsOf, SIGN_IN } from '../signed-in.ts'
import { wishedPath } from '../wished.ts'
import { spendChallenge } from './challenge.ts'
import { PASSKEY_SIGN_IN, partyOf, TO_SIGN_IN } from './forms.ts'
import { userOfHandle } from './handle.ts'
import { answerIn, checkPasskey, handleIn } from './webauthn.ts'

const { passkeys: words } = SECURITY_WORDS

/** Signs in by a passkey, which stands for both factors: its authenticator has verified its user. */
const take = async (request: AccountRequest, sent: URLSearchParams): Promise<Answer> => {
  const { service } = request
  const to = wishedPath(sent.get('to'))
  const party = partyOf(service)
  if (typeof party === 'string') return undefined
  const failed = (says: string) => signInPage(request, { to, problem: { of: 'passkey', says } })
  const answer = answerIn(sent.get('answer'))
  const userId = answer && userOfHandle(service, handleIn(answer) ?? '')
  const held = userId === undefined ? undefined : await credentialsOf(service, userId)
  const passkey = held?.passkeys.find(({ id }) => id === answer?.id)
  if (!answer || !held || !passkey) return failed(words.invalid)
  const use = await checkPasskey(party, passkey, answer, (one) => spendChallenge(service, TO_SIGN_IN, one))
  if (typeof use === 'string') return failed(words[use])
  const finished = await finishSignIn(request, {
    held,
    number: null,
    to: to ?? null,
    factor: { by: 'passkey', ...use },
  })
  return finished instanceof Refusal ? failed(words.invalid) : finished
}

/** Where the form of passkeys goes. */
export const passkeySignInRoutes: readonly Route[] = [
  {
    path: new RegExp(`^${PASSKEY_SIGN_IN}$`),
    audience: 'everybody',
    isOnce: true,
    show: () => ({ to: SIGN_IN }),
    take,
  },
]
