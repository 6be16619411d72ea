import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { differs } from '../../kernel/model/derived-events.ts'
import type { Json } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { mergeCode } from '../../resources/attributes/code.ts'
import { pathKeyIn, SPELLED_OTHERWISE } from '../../resources/attributes/path-key.ts'
import { isReservedPath, RESERVED } from '../../sites/public.ts'
import { markupProblem } from '../markup/check.ts'
import { serializeMarkup } from '../markup/serialize.ts'
import { externalUrl } from './external-url.ts'
import { CODE, page, SEARCH } from './model.ts'

/** Fields that only a page hosted here has. Sent for an external page they are refused, never ignored. */
export const HOSTED_ONLY: readonly string[] = [
  'markup',
  'theme_id',
  'current_path',
  ...SEARCH,
  ...CODE.flatMap((name) => [name, `${name}_mode`]),
  'live_data_changes',
]
export const EXTERNAL_ONLY: readonly string[] = ['external_url']

/** Context of a decision. `sent`: names of sent fields that only one kind of page has; `url`: address of an external page as sent. */
type Page = DecisionContext<typeof page, { readonly sent: readonly string[]; readonly url: Json }>

/** Returns a refusal of fields that must not be sent here. */
export const unpermitted = (says: string, names: readonly string[]): Refusal =>
  new Refusal(
    'invalid',
    says,
    names.map((field) => ({ field, code: 'unpermitted', message: says })),
  )

export const notValidFor = (kind: 'external' | 'internal', names: readonly string[]): Refusal | undefined =>
  names.length === 0
    ? undefined
    : unpermitted(`The following fields are not valid for ${kind} pages: ${names.join(', ')}.`, names)

const ofItsKind = ({ before, wanted: { sent = [] } }: Page) => {
  if (!before) return undefined
  const among = (names: readonly string[]) => names.filter((name) => sent.includes(name))
  return before.external ? notValidFor('external', among(HOSTED_ONLY)) : notValidFor('internal', among(EXTERNAL_ONLY))
}

/** Returns the address of an external page, and a name made from it when none was sent. The token stays when the address changes. */
const address = ({ before, wanted: { url: sent }, after }: Page) => {
  if (!after.external || (before && sent === undefined)) return undefined
  if (sent === undefined || sent === null || sent === '')
    return refuse.invalid('external_url is required for external pages.', 'external_url', 'blank')
  const external_url = externalUrl(String(sent))
  if (external_url instanceof Refusal) return external_url
  return before || after.name?.trim() ? { external_url } : { external_url, name: new URL(external_url).host }
}

/** Serializes new markup. Markup that shows the same page as before is no change. */
const publish = ({ before, after }: Page) => {
  if (after.external) return undefined
  const sent = after.markup ?? ''
  if (before && !differs(before.markup, sent)) return { markup: sent }
  const problem = markupProblem(sent)
  if (problem) return problem
  const markup = serializeMarkup(sent)
  return { markup: before && serializeMarkup(before.markup ?? '') === markup ? before.markup : markup }
}

/** Keeps the paths of the service free. */
const freePath = ({ before, after }: Page) =>
  !before && isReservedPath(after.current_path) ? refuse.invalid(RESERVED, 'current_path', 'reserved') : undefined

/** Gives a page of a former version its token. */
const mintToken = ({ before, wanted: { token } }: ActContext<typeof page, { readonly token: string }>) =>
  before.token === null ? [page.event.TokenMinted({ token })] : []

/** Settings of the form of a page; absent ones stay. */
interface OptIn {
  readonly double_opt_in: boolean
  readonly next_page_id: number | null
}

/** Sets whether opt-ins on the page are to be confirmed, and which page follows while no funnel says so. */
const setOptIn = ({ before, wanted }: ActContext<typeof page, Partial<OptIn>>) => {
  const { double_opt_in = before.double_opt_in, next_page_id = before.next_page_id } = wanted
  if (before.external && next_page_id !== null)
    return refuse.invalid('Next page is that of a funnel for a page that others host', 'next_page_id', 'unpermitted')
  return [
    ...(before.double_opt_in === double_opt_in ? [] : [page.event.OptInSettingsSet({ double_opt_in })]),
    ...(before.next_page_id === next_page_id ? [] : [page.event.NextPageChosen({ next_page_id })]),
  ]
}

/** What decisions about a page need to know of others. */
interface PageFacts {
  readonly isRequired: boolean
  /** Whether another page that is served at its own path has the path of a new one in another spelling. */
  readonly isSpelledOtherwise: boolean
}

const isRequired = async ({ act, id, before }: Page, { documents }: Reader): Promise<boolean> => {
  if (act !== 'remove' || !before) return false
  const where = { workspace_id: before.workspace_id ?? 0, template_page_ids: id }
  return (await documents.find('theme', { where, limit: 1 })).length > 0
}

const isSpelledOtherwise = async ({ before, after, workspaceId }: Page, read: Reader): Promise<boolean> => {
  const path_key = before ? null : pathKeyIn(workspaceId, after.current_path)
  if (path_key === null) return false
  const where = { path_key, in_funnel: { $ne: true }, current_path: { $ne: after.current_path } }
  return (await read.find(page, { where, limit: 1 })).length > 0
}

const loadFacts = async (context: Page, read: Reader): Promise<PageFacts> => ({
  isRequired: await isRequired(context, read),
  isSpelledOtherwise: await isSpelledOtherwise(context, read),
})

const spelledOnce = (_: Page, facts: PageFacts) =>
  facts.isSpelledOtherwise ? refuse.invalid(`Current path ${SPELLED_OTHERWISE}`, 'current_path', 'taken') : undefined

/** The rules of a page (spec 4.2). */
export const pages = decider(page, {
  rules: rules(page, {
    loadFacts,
    save: [ofItsKind, freePath, spelledOnce, mergeCode(...CODE), publish, address],
    acts: { mintToken, setOptIn },
    preventRemoval: (_: ActContext<typeof page>, facts: PageFacts) =>
      facts.isRequired
        ? refuse.invalid('This page is required by the theme and cannot be deleted.', 'base', 'required')
        : undefined,
  }),
})
