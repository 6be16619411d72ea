import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { Checked } from './check.ts'
import { type DkimKey, domain } from './model.ts'

const { event } = domain

/** Time for which the record of a former key stays asked for, since mail that it signed is still under way. */
const FORMER_MS = 7 * 24 * 60 * 60_000

type Keyed = { readonly key: DkimKey }

const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

/** Makes the next key the one that signs. */
const rotated = ({ before, at }: ActContext<typeof domain>) =>
  before.next_dkim_key
    ? [
        event.DkimKeyRotated({
          dkim_key: before.next_dkim_key,
          former_dkim_key: before.dkim_key && { ...before.dkim_key, asked_until: after(at, FORMER_MS) },
        }),
      ]
    : []

/** Notes what name servers said. Signing changes only after the record of the next key was seen. */
const check = (context: ActContext<typeof domain, Checked>) => {
  const { next_seen, ...seen } = context.wanted
  const flags = next_seen ? { dkim_verified: true } : {}
  const { dkim_verified, spf_verified, dmarc_verified, return_address_verified } = { ...seen, ...flags }
  const { spf_found, dmarc_found, findings, bounce_host } = seen
  return [
    event.SendingDomainChecked({
      ...{ dkim_verified, spf_verified, dmarc_verified, return_address_verified },
      ...{ spf_found, dmarc_found, findings, bounce_host },
    }),
    ...(next_seen ? rotated(context) : []),
  ]
}

/** Begins to replace the key. A key that has never been seen is replaced at once. */
const rotate = ({ before, wanted: { key } }: ActContext<typeof domain, Keyed>) => {
  if (before.former_dkim_key)
    return refuse.invalid(
      `The key before is still asked for until ${before.former_dkim_key.asked_until}`,
      'base',
      'too_early',
    )
  return [before.dkim_verified ? event.DkimRotationBegun({ next_dkim_key: key }) : event.DkimKeyMade({ dkim_key: key })]
}

const dropFormerKey = ({ before }: ActContext<typeof domain>) =>
  before.former_dkim_key ? [event.FormerDkimKeyDropped({})] : []

/** A domain that is posted again gets the key that it lacks. */
const withKey = ({ before, wanted }: DecisionContext<typeof domain>) =>
  before?.dkim_key && wanted.dkim_key ? { dkim_key: before.dkim_key } : undefined

/** Decider of sending domains. */
export const sendingDomains = decider(domain, {
  rules: rules(domain, {
    save: [withKey],
    acts: { check, rotate, dropFormerKey },
    timers: { 'former-dkim-key': 'dropFormerKey' },
  }),
})
