import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { NewPasskey, Passkey, PasskeyUse } from '../../../domain/account/credentials/second-factor.ts'
import type { RelyingParty } from './relying-party.ts'

/** Person whom a passkey is made for. */
export interface PasskeyOwner {
  /** What authenticators know the person by; they tell it when they sign. */
  readonly handle: string
  readonly address: string
  readonly passkeys: readonly Passkey[]
}

/** Why an answer does not count. */
export type PasskeyProblem = 'unverified' | 'invalid'

type IsOwnChallenge = (challenge: string) => Promise<boolean>

/** Loads the library when the first passkey is used: it takes a third of a second and 30 MB. */
const library = () => import('@simplewebauthn/server')

const TIMEOUT_MS = 5 * 60_000

const described = ({ id, transports }: Passkey) => ({ id, transports: [...transports] })

/** Returns what a browser is asked to make a passkey by. */
export const creationOptions = async (
  { id: rpID }: RelyingParty,
  { handle, address, passkeys }: PasskeyOwner,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    ...{ rpName: 'Millrace', rpID, timeout: TIMEOUT_MS },
    ...{ userName: address, userDisplayName: address, userID: new Uint8Array(Buffer.from(handle)) },
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    excludeCredentials: passkeys.map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** Returns what a browser is asked to sign in by. Whoever has a passkey names no address. */
export const requestOptions = ({ id }: RelyingParty, challenge: string): PublicKeyCredentialRequestOptionsJSON => ({
  ...{ challenge, rpId: id, timeout: TIMEOUT_MS, userVerification: 'required' },
})

type Text = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Text => typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (object: Text, name: string): string => {
  const value = object[name]
  if (typeof value !== 'string') throw new TypeError(`${name} is no text`)
  return value
}

/** Returns what a browser says of a credential, without the extensions that nobody asked for. */
const credentialIn = (answer: Text) => {
  const { response } = answer
  if (!isObject(response)) throw new TypeError('there is no response')
  const credential = { id: textIn(answer, 'id'), rawId: textIn(answer, 'rawId'), type: 'public-key' as const }
  return { credential: { ...credential, clientExtensionResults: {} }, response }
}

const madeBy = (answer: Text): RegistrationResponseJSON => {
  const { credential, response } = credentialIn(answer)
  const [clientDataJSON, attestationObject] = [
    textIn(response, 'clientDataJSON'),
    textIn(response, 'attestationObject'),
  ]
  return { ...credential, response: { clientDataJSON, attestationObject } }
}

const signedBy = (answer: Text): AuthenticationResponseJSON => {
  const { credential, response } = credentialIn(answer)
  return {
    ...credential,
    response: {
      clientDataJSON: textIn(response, 'clientDataJSON'),
      authenticatorData: textIn(response, 'authenticatorData'),
      signature: textIn(response, 'signature'),
    },
  }
}

const LONGEST_TRANSPORT = 20
const MOST_TRANSPORTS = 8

/** Returns the ways to an authenticator that a browser names. They only help browsers to ask. */
const transportsIn = ({ response }: Text): readonly string[] => {
  const named: unknown = isObject(response) ? response.transports : []
  const texts = Array.isArray(named) ? named.filter((one) => typeof one === 'string') : []
  return texts.filter(({ length }) => length <= LONGEST_TRANSPORT).slice(0, MOST_TRANSPORTS)
}

/** Returns what an answer says, as long as it can be read. */
export const answerIn = (sent: string | null): Text | undefined => {
  try {
    const parsed: unknown = JSON.parse(sent ?? '')
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Returns the handle of the person whom an answer names. It is signed by nobody: the signature of the passkey says whether it is right. */
export const handleIn = ({ response }: Text): string | undefined => {
  const handle = isObject(response) ? response.userHandle : undefined
  return typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : undefined
}

/** Checks a new passkey. The browser's answer counts if its user was verified; the check is ours, so that a person can be told. */
export const checkNewPasskey = async (
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  answer: Text,
  isOwnChallenge: IsOwnChallenge,
): Promise<Omit<NewPasskey, 'name'> | PasskeyProblem> => {
  const { verifyRegistrationResponse } = await library()
  try {
    const expected = { expectedRPID, expectedOrigin, expectedChallenge: isOwnChallenge, requireUserVerification: false }
    const { registrationInfo } = await verifyRegistrationResponse({ response: madeBy(answer), ...expected })
    if (!registrationInfo) return 'invalid'
    if (!registrationInfo.userVerified) return 'unverified'
    const { credential, credentialDeviceType } = registrationInfo
    return {
      id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      transports: transportsIn(answer),
      host: expectedRPID,
      counter: credential.counter,
      is_synced: credentialDeviceType === 'multiDevice',
    }
  } catch {
    return 'invalid'
  }
}

/** Checks that a passkey has signed. A counter that goes back is for its owner to judge: synced passkeys do that too. */
export const checkPasskey = async (
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { id, public_key }: Pick<Passkey, 'id' | 'public_key'>,
  answer: Text,
  isOwnChallenge: IsOwnChallenge,
): Promise<PasskeyUse | PasskeyProblem> => {
  const { verifyAuthenticationResponse } = await library()
  try {
    const expected = { expectedRPID, expectedOrigin, expectedChallenge: isOwnChallenge, requireUserVerification: false }
    const credential = { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter: 0 }
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...{ response: signedBy(answer), credential, ...expected },
    })
    if (!verified) return 'invalid'
    if (!info.userVerified) return 'unverified'
    return { id, counter: info.newCounter, is_synced: info.credentialDeviceType === 'multiDevice' }
  } catch {
    return 'invalid'
  }
}
