import { Type } from 'typebox'
import { managed, type Values } from '../../kernel/model/field.ts'
import { data, flag, integer, list, moment, reference, text } from '../../kernel/model/fields.ts'
import { model, type RecordHeader, type RecordOf } from '../../kernel/model/model.ts'
import { type ViewOfLoad, withLost, withView } from './loads.ts'

/** What a visitor has typed into fields of forms in a session. */
export type Typed = {
  readonly email?: string
  readonly first_name?: string
  readonly last_name?: string
  readonly name?: string
  readonly phone?: string
}

/** One view of a page, as a browser and the server at receipt describe it. */
export type View = {
  /** Id that the browser made. */
  readonly hit: string
  /** Id of the page load, and the number of the view within it. By both a view counts once for ever. A number that is missing is a view that was lost. */
  readonly load: string
  readonly number: number
  readonly page_id: number
  readonly funnel_id: number | null
  readonly show_page_step_id: number | null
  readonly live_mode: boolean
  readonly bot: boolean
  readonly consent: boolean
  readonly viewed_at: string
}

/** Texts of a visit that say where the visitor came from. */
export const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/** Where a visit began: the address without its query, and the campaign in that. */
export type Landing = { readonly landing_page: string } & { readonly [name in (typeof UTM)[number]]: string | null }

/** A view as it is stored. */
export type Viewed = View & {
  /** Where the session began, when its first view arrives after others. */
  readonly landing?: Landing
  /** Number of views before it that have not arrived; -1 when it is one of those. Absent: none. */
  readonly lost?: number
  /** Last view of an earlier page load of the tab, when it is among the lost ones. */
  readonly after?: ViewOfLoad
  /** Contact who viewed this place for the first time in the session; absent: nobody known. */
  readonly contact_id?: number
  /** Time of the counted view of the same step, or of the same page without a step, that came before it in the session. */
  readonly previous_at: string | null
}

/** A ticket that was traded for the session, and the key of the browser that traded it. */
export type Traded = { readonly ticket: string; readonly key: string; readonly at: string }

const word = () => managed(text({ nullable: true, max: 255 }))
const personal = { nullable: true, personal: true, max: 2048 } as const
const hidden = { shown: 'never' } as const

const attributes = {
  /** Number of the key under which its personal data is sealed. */
  key_number: managed(integer({ required: true }), hidden),
  uuid: managed(text({ required: true })),
  /** Id of the browser. Without consent there is none. */
  visitor: word(),
  page_id: managed(reference('page', { required: true, onTargetEnd: 'keep' })),
  funnel_id: managed(reference('funnel', { nullable: true, onTargetEnd: 'keep' })),
  show_page_step_id: managed(reference('funnels/show_page_step', { nullable: true, onTargetEnd: 'keep' })),
  live_mode: managed(flag({ default: false })),
  consent: managed(flag({ default: false })),
  bot: managed(flag({ default: false })),
  landing_page: managed(text({ nullable: true, max: 2048 })),
  referring_domain: word(),
  utm_source: word(),
  utm_medium: word(),
  utm_campaign: word(),
  utm_term: word(),
  utm_content: word(),
  browser: word(),
  os: word(),
  device_type: word(),
  ip: managed(text(personal)),
  user_agent: managed(text(personal)),
  referrer: managed(text(personal)),
  typed: managed(data<Typed | null, { readonly personal: true }>(Type.Null(), { personal: true }), hidden),
  contact_id: managed(reference('contact', { nullable: true, onTargetEnd: 'keep' })),
  /** Time of the last view or submission. */
  active_at: managed(moment({ nullable: true }), hidden),
  /** The last page loads, and which of their views have arrived. */
  loads: managed(list(text(), { initial: [] }), hidden),
  /** Time of the last counted view of each step or page. */
  seen: managed(
    data<Readonly<Record<string, string>>, { readonly initial: Record<never, never> }>(Type.Object({}), {
      initial: {},
    }),
    hidden,
  ),
  traded: managed(
    data<readonly Traded[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
    hidden,
  ),
  erased: managed(flag({ initial: false }), hidden),
}

type State = (RecordHeader & Values<typeof attributes>) | undefined

const REMEMBERED_PLACES = 500
/** Longer than any ticket is good for. */
const TRADES_REMEMBERED_MS = 10 * 60_000

/** Key of what a view counts for. Views in test mode count separately. */
export const placeOf = ({ show_page_step_id, page_id, live_mode }: View): string =>
  `${live_mode ? '' : 'test '}${show_page_step_id === null ? `page ${page_id}` : `step ${show_page_step_id}`}`

/** Whether a view counts as one of a visitor. */
export const isCounted = ({ consent, bot }: View): boolean => consent && !bot

/** Returns the steps, and the pages without a step, that a visitor has viewed in live mode. */
export const placesIn = (seen: Readonly<Record<string, string>>) => {
  const idsAfter = (word: string) =>
    Object.keys(seen).flatMap((key) => (key.startsWith(word) ? [Number(key.slice(word.length))] : []))
  return { stepIds: idsAfter('step '), pageIds: idsAfter('page ') }
}

const withPlace = (seen: Readonly<Record<string, string>>, view: View) => {
  const { [placeOf(view)]: _, ...others } = seen
  const next = { ...others, [placeOf(view)]: view.viewed_at }
  const places = Object.entries(next)
  return places.length > REMEMBERED_PLACES ? Object.fromEntries(places.slice(-REMEMBERED_PLACES)) : next
}

const viewed = (before: State, view: Viewed) => {
  const { loads = [], seen = {}, active_at = null } = before ?? {}
  const { page_id, funnel_id, show_page_step_id, landing } = view
  return {
    ...(landing && { ...landing, page_id, funnel_id, show_page_step_id }),
    loads: withView(view.after ? withLost(loads, view.after) : loads, view, (view.lost ?? 0) > 0),
    active_at: active_at === null || active_at < view.viewed_at ? view.viewed_at : active_at,
    ...(isCounted(view) && { seen: withPlace(seen, view) }),
  }
}

const handedOver = (before: State, { ticket, key }: Omit<Traded, 'at'>, { at }: { readonly at: string }) => {
  const since = new Date(Date.parse(at) - TRADES_REMEMBERED_MS).toISOString()
  return { traded: [...(before?.traded ?? []).filter((one) => one.at > since), { ticket, key, at }] }
}

/** Visit of one visitor (contract: VisitAttributes). What is personal in it is sealed under a key of its own, and is erased with its contact. */
export const session = model('visits/session', {
  attributes,
  events: {
    SessionBegan: {
      creates: true,
      only: [
        ...(['key_number', 'uuid', 'visitor', 'page_id', 'funnel_id', 'show_page_step_id'] as const),
        ...(['live_mode', 'consent', 'bot', 'landing_page', 'referring_domain'] as const),
        ...UTM,
        ...(['browser', 'os', 'device_type', 'personal'] as const),
      ],
    },
    PageViewed: { evolve: viewed },
    VisitorIdentified: { sets: ['contact_id', 'personal'], stamps: 'active_at' },
    SessionHandedOver: { evolve: handedOver },
    SessionErased: { erasesPerson: true, constants: { erased: true } },
  },
  person: 'key_number',
  isLive: ({ erased }) => !erased,
})

export type Session = RecordOf<typeof session>
