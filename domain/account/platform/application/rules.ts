import { decider } from '../../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../../kernel/values/refusal.ts'
import { isReadAsWritten } from '../redirect-uri.ts'
import { platformApplication } from './model.ts'

const { event } = platformApplication

type Application = typeof platformApplication

/** What a new application is known by, drawn at random by whoever asks for it. */
export type NewClient = { readonly clientId: string; readonly nonce: string }

/** Control characters, line breaks, and marks that change the direction of writing: with them a name could pose as other words of a page. */
const UNPRINTED = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const checkName = ({ after: { name } }: DecisionContext<Application>) =>
  UNPRINTED.test(name)
    ? refuse.invalid('Name must not have control characters, line breaks or direction marks', 'name', 'invalid')
    : undefined

const distinctAddresses = ({ after: { redirect_uris } }: DecisionContext<Application>) => {
  const unread = redirect_uris.find((uri) => !isReadAsWritten(uri))
  return unread === undefined
    ? { redirect_uris: [...new Set(redirect_uris)] }
    : refuse.invalid(`Redirect uris has what is no address: ${JSON.stringify(unread)}`, 'redirect_uris', 'invalid')
}

const identify = ({ before, wanted }: DecisionContext<Application, NewClient>) =>
  before ? undefined : { client_id: wanted.clientId ?? null, secret_nonce: wanted.nonce ?? null }

const rotate = ({
  before,
  wanted: { nonce },
}: ActContext<Application, { readonly nonce: string }>): Events<Application> | Refusal =>
  before.confidential
    ? [event.PlatformApplicationSecretRotated({ secret_nonce: nonce })]
    : refuse.invalid('A public application has no secret', 'confidential', 'public')

/** Decider of platform applications. */
export const platformApplications = decider(platformApplication, {
  rules: rules(platformApplication, { save: [checkName, identify, distinctAddresses], acts: { rotate } }),
})
