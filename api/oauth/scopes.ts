import { REQUESTABLE_SCOPES } from '../../domain/account/platform/public.ts'
import { allows, allowsNoMore, CATEGORIES, type Category, SCOPES } from '../../domain/kernel/values/scopes.ts'

/** Whom tokens are for: programs that act on the API, or agents on the agent server. */
export type Audience = 'api' | 'agents'

/** Category scope that a coarse scope grants anyway. It makes coarse scopes mean what they say. */
const RESTRICTING = 'reference:read'

/** Scopes of a request that names none that we have. */
const USUAL: Readonly<Record<Audience, readonly string[]>> = {
  api: ['admin', 'read'],
  agents: ['read', 'write'],
}

/** Returns the scopes in a text that there are. Those of other products, such as `openid`, are left out. */
export const scopesIn = (text: unknown): readonly string[] =>
  typeof text === 'string' ? [...new Set(text.split(' '))].filter((scope) => REQUESTABLE_SCOPES.has(scope)) : []

/** Returns those of some scopes that allow anything. */
const acting = (scopes: readonly string[]): readonly string[] => scopes.filter((scope) => SCOPES.includes(scope))

/** Returns the scopes that an authorization request asks for. */
export const wantedScopes = (text: unknown, audience: Audience): readonly string[] => {
  const wanted = audience === 'agents' ? acting(scopesIn(text)) : scopesIn(text)
  return acting(wanted).length > 0 ? wanted : [...new Set([...wanted, ...USUAL[audience]])]
}

/**
 * Returns the scopes by which the operations judge an agent. On the API a bare `read` does not make a token read-only (spec 5.4); for an agent it does.
 */
export const enforcedScopes = (scopes: readonly string[]): readonly string[] =>
  scopes.length === 0 || scopes.some((scope) => scope.includes(':')) ? scopes : [...scopes, RESTRICTING]

/** Returns scopes as the operations take them. */
const effective = (scopes: readonly string[], audience: Audience): readonly string[] =>
  audience === 'agents' ? enforcedScopes(scopes) : scopes

/** Tells whether scopes allow nothing that others do not. By name `read` is less than `contacts:write`, but alone it allows more. */
export const areWithin = (narrow: readonly string[], wide: readonly string[], audience: Audience): boolean =>
  allowsNoMore(effective(narrow, audience), effective(wide, audience))

const CATEGORY_WORDS: Readonly<Record<Category, string>> = {
  contacts: 'contacts',
  workflows: 'workflows',
  funnels: 'funnels',
  sites: 'sites and pages',
  courses: 'courses',
  emails: 'mails',
  blog: 'blogs',
  community: 'communities',
  appointments: 'appointments',
  opportunities: 'sales opportunities',
  store: 'products, orders and shipping',
  forms: 'forms and what was sent by them',
  media: 'images and downloads',
  webhooks: 'webhooks',
  account: 'the team and its workspaces',
  reference: 'lists of countries and regions',
}

const sentence = (start: string, categories: readonly Category[]): readonly string[] =>
  categories.map((category) => `${start} ${CATEGORY_WORDS[category]}`)

/** Returns in words what scopes allow, as they act. */
export const scopeWords = (scopes: readonly string[], audience: Audience): readonly string[] => {
  const held = effective(scopes, audience)
  const changes = CATEGORIES.filter((category) => allows(held, category, 'write'))
  const sees = CATEGORIES.filter((category) => allows(held, category, 'read'))
  if (changes.length === CATEGORIES.length) return ['See and change everything']
  if (sees.length === CATEGORIES.length) return ['See everything', ...sentence('Change', changes)]
  const onlySees = sees.filter((category) => !changes.includes(category))
  return [...sentence('See and change', changes), ...sentence('See', onlySees)]
}
