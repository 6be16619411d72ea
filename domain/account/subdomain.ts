import { Type } from 'typebox'
import type { ActContext, DecisionContext } from '../kernel/decide/rules.ts'
import type { ClaimRequest } from '../kernel/model/claim.ts'
import { managed } from '../kernel/model/field.ts'
import { data, text } from '../kernel/model/fields.ts'
import { type EventSpec, model, type RecordOf } from '../kernel/model/model.ts'
import type { TimerTable } from '../kernel/model/timer.ts'
import { refuse } from '../kernel/values/refusal.ts'

const FORM = {
  test: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  says: 'may only have lower-case letters, digits and hyphens',
}

const TAKEN = 'Subdomain has already been taken'

const DAY_MS = 24 * 60 * 60_000

/** Time after its creation in which a workspace may change its subdomain. The contract only says "right after". */
const GRACE_MS = DAY_MS

/**
 * Time for which a name that was given up is kept. Browsers go on sending and showing to it what they got under it. The longest that any of that is good
 * for is the session of a member: 30 days.
 */
const KEPT_MS = 90 * DAY_MS

/** Names that one workspace can keep from others at once. */
const MOST_KEPT = 10

/** A name that a workspace has given up, and may take back until others may have it. */
type FormerName = { readonly name: string; readonly until: string }

/** Attributes of the name of a workspace. */
export const subdomainAttributes = {
  subdomain: text({
    ...{ required: true, max: 63, form: FORM },
    consequence: { says: 'changes the address of all pages' },
  }),
  former_subdomains: managed(
    data<readonly FormerName[], { readonly default: [] }>(Type.Array(Type.Object({})), { default: [] }),
    {
      shown: 'never',
    },
  ),
}

/** Events of names that are given up. */
export const subdomainEvents = {
  SubdomainGivenUp: { sets: ['former_subdomains'] },
  FormerSubdomainsFreed: { sets: ['former_subdomains'] },
} as const satisfies Readonly<Record<string, EventSpec<typeof subdomainAttributes>>>

/** Model of a workspace with only its name. */
const named = model('workspace', { attributes: subdomainAttributes, events: subdomainEvents })
const { event } = named
type Named = typeof named

const isKept =
  (at: string) =>
  ({ until }: FormerName): boolean =>
    until > at

/** Keeps the name that a workspace gives up. One that it takes back is its own again. */
export const giveUpName = ({ before, after, at }: DecisionContext<Named>) => {
  if (!before || after.subdomain === before.subdomain) return undefined
  if (Date.parse(at) - Date.parse(before.created_at) > GRACE_MS)
    return refuse.invalid(
      'Subdomain can only be changed right after the workspace was created',
      'subdomain',
      'immutable',
    )
  const until = new Date(Date.parse(at) + KEPT_MS).toISOString()
  const kept = before.former_subdomains.filter(({ name }) => name !== after.subdomain && name !== before.subdomain)
  if (kept.length >= MOST_KEPT)
    return refuse.invalid(`Subdomain can be changed at most ${MOST_KEPT} times`, 'subdomain', 'too_many')
  return [event.SubdomainGivenUp({ former_subdomains: [...kept, { name: before.subdomain, until }] })]
}

/** Frees the names that have been kept for long enough. */
const freeFormerNames = ({ before, at }: ActContext<Named>) => {
  const kept = before.former_subdomains.filter(isKept(at))
  return kept.length === before.former_subdomains.length
    ? []
    : [event.FormerSubdomainsFreed({ former_subdomains: kept })]
}

export const subdomainActs = { freeFormerNames }

/** Timer at which the oldest name becomes free. */
export const subdomainTimers: TimerTable<'former-subdomains', Pick<RecordOf<Named>, 'former_subdomains'>> = {
  'former-subdomains': {
    due: ({ former_subdomains }) => former_subdomains.map(({ until }) => until).sort()[0] ?? null,
    movedBy: Object.keys(subdomainEvents),
  },
}

/** No two workspaces have one name. */
export const uniqueSubdomain = { attributes: ['subdomain'], within: 'everywhere', says: TAKEN } as const

/** Returns the claims on the names that a workspace has given up: those of a name that is in use. */
export const formerNameClaims = ({ former_subdomains }: RecordOf<Named>): readonly ClaimRequest[] =>
  former_subdomains.map(({ name }) => ({ scope: 'workspace.subdomain', value: name, field: 'subdomain', says: TAKEN }))
