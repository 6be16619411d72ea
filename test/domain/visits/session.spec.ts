import { expect } from 'chai'
import { keyOfAddress, keyOfSession, keyOfWorkspace } from '../../../domain/kernel/model/personal.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { isOver, session, sessions, type View } from '../../../domain/visits/public.ts'
import { AT, ask, given, ROOT, stateAfter } from '../../support/decider.ts'

const { event } = session

const minutes = (count: number): string => new Date(Date.parse(AT) + count * 60_000).toISOString()

const view = (hit: string, more: Partial<View> = {}): View => ({
  ...{ hit, load: `load of ${hit}`, number: 1, page_id: 1, funnel_id: 2, show_page_step_id: 3 },
  ...{ live_mode: true, bot: false, consent: true, viewed_at: AT },
  ...more,
})

const attributes = {
  ...{ key_number: keyOfSession(ROOT), uuid: 'u', page_id: 1, funnel_id: 2, show_page_step_id: 3 },
  ...{ live_mode: true, consent: true, bot: false },
}
const began = event.SessionBegan(attributes)
const viewed = (hit: string, more: Partial<View> = {}, previous_at: string | null = null) =>
  event.PageViewed({ ...view(hit, more), previous_at })
const identified = (contact_id: number) => event.VisitorIdentified({ contact_id })

describe('the session of a visitor', () => {
  it('begins with its first view, and has a key of its own', () => {
    const { key_number: _, ...wanted } = attributes
    const decision = sessions.decide(stateAfter(sessions, []), ask('begin', { ...wanted, view: view('a') }), undefined)
    expect(Array.isArray(decision) && decision.map(({ type }) => type)).to.deep.equal(['SessionBegan', 'PageViewed'])
    expect(Array.isArray(decision) && decision[0]!.data).to.include({ key_number: keyOfSession(ROOT) })
  })

  it('has keys in a range of their own', () => {
    const vault = { token: (_: string, value: string) => value }
    const addresses = ['a@b.c', 'z'.repeat(30)].map((one) => keyOfAddress(vault, 1, one))
    for (const id of [1, 2 ** 40, 2 ** 52]) {
      expect(Number.isSafeInteger(keyOfSession(id))).to.equal(true)
      expect(keyOfSession(id)).to.be.below(Math.min(...addresses, keyOfWorkspace(2 ** 31)))
    }
  })

  it('counts a view once for ever', () => {
    given(sessions, began, viewed('a'), viewed('b'))
      .when(ask('view', { view: view('a') }))
      .thenNothing()
    const late = view('a', { viewed_at: minutes(60 * 24 * 7) })
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: late }))
      .thenNothing()
  })

  const last = (load: string, number: number) => ({ load, number })

  it('counts what is missing within a load, and takes back what is only late (13b 40)', () => {
    const load = 'load of a'
    const third = view('c', { load, number: 3 })
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: third }))
      .then(event.PageViewed({ ...third, lost: 1, previous_at: AT }))
    const late = view('b', { load, number: 2 })
    const gap = event.PageViewed({ ...third, lost: 1, previous_at: AT })
    const filled = event.PageViewed({ ...late, lost: -1, previous_at: AT })
    given(sessions, began, viewed('a'), gap)
      .when(ask('view', { view: late }))
      .then(filled)
    const forged = view('d', { load, number: 1 })
    given(sessions, began, viewed('a'), gap, filled)
      .when(ask('view', { view: forged }))
      .thenNothing()
  })

  it('counts the views of an earlier load of the tab that never came, also when they come in the end', () => {
    const next = view('c')
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: next, after: last('load of a', 1) }))
      .then(event.PageViewed({ ...next, previous_at: AT }))
    const missing = event.PageViewed({ ...next, lost: 2, after: last('lost', 2), previous_at: AT })
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: next, after: last('lost', 2) }))
      .then(missing)
    const late = view('b', { load: 'lost', number: 2 })
    given(sessions, began, viewed('a'), missing)
      .when(ask('view', { view: late }))
      .then(event.PageViewed({ ...late, lost: -1, previous_at: AT }))
    const copied = view('d')
    given(sessions, began, viewed('a'), missing)
      .when(ask('view', { view: copied, after: last('lost', 2) }))
      .then(event.PageViewed({ ...copied, previous_at: AT }))
  })

  it('began at the first view of its only load, however late that arrives (18, M6)', () => {
    const load = 'load of b'
    const utm = { utm_source: 'mail', utm_medium: null, utm_campaign: 'may', utm_term: null, utm_content: null }
    const landing = { landing_page: 'https://land.example/a', ...utm }
    const second = event.PageViewed({ ...view('b', { load, number: 2, page_id: 5 }), lost: 1, previous_at: null })
    const late = view('a', { load, number: 1, page_id: 4, show_page_step_id: null })
    const filled = event.PageViewed({ ...late, lost: -1, landing, previous_at: null })
    given(sessions, began, second)
      .when(ask('view', { view: late, landing }))
      .then(filled)
    const kept = stateAfter(sessions, [began, second, filled]).documents[session.name]!.get(ROOT)
    expect(kept).to.include({ ...landing, page_id: 4, funnel_id: 2, show_page_step_id: null })
    const elsewhere = viewed('c')
    given(sessions, began, elsewhere, second)
      .when(ask('view', { view: late, landing }))
      .then(event.PageViewed({ ...late, lost: -1, previous_at: null }))
    given(sessions, began)
      .when(ask('view', { view: view('a'), landing }))
      .then(viewed('a'))
  })

  it('believes no number that would be a hundred lost views at once', () => {
    const far = view('b', { load: 'load of a', number: 1_000_000 })
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: far }))
      .then(event.PageViewed({ ...far, lost: 20, previous_at: AT }))
  })

  it('asks whether a view is new once it has forgotten the first ones (13b 41)', () => {
    const many = Array.from({ length: 201 }, (_, n) => viewed(`hit ${n}`))
    const again = view('hit 0')
    given(sessions, began, ...many)
      .when(ask('view', { view: again }))
      .refuses('conflict', 'The view may have been counted before')
    const fresh = view('new')
    given(sessions, began, ...many)
      .when(ask('view', { view: fresh, isNew: true }))
      .then(event.PageViewed({ ...fresh, previous_at: AT }))
  })

  it('names the previous counted view of the same step and mode', () => {
    const at = minutes(5)
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: view('b', { viewed_at: at }) }))
      .then(viewed('b', { viewed_at: at }, AT))
    for (const more of [{ show_page_step_id: 4 }, { live_mode: false }, { show_page_step_id: null }] as const)
      given(sessions, began, viewed('a'))
        .when(ask('view', { view: view('b', more) }))
        .then(viewed('b', more))
  })

  it('leaves views without consent and of crawlers out of what counts', () => {
    for (const more of [{ consent: false }, { bot: true }]) {
      given(sessions, began, viewed('a'))
        .when(ask('view', { view: view('b', more) }))
        .then(viewed('b', more))
      given(sessions, began, viewed('a', more))
        .when(ask('view', { view: view('b') }))
        .then(viewed('b'))
    }
  })

  it('keeps the order of the views of a step, however late they arrive', () => {
    const [early, late] = [minutes(1), minutes(3)]
    given(sessions, began, viewed('a', { viewed_at: late }))
      .when(ask('view', { view: view('b', { viewed_at: early }) }))
      .then(viewed('b', { viewed_at: late }, late))
  })

  it('is over after thirty idle minutes', () => {
    const lateView = (count: number) => view('b', { viewed_at: minutes(count) })
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: lateView(30) }))
      .then(viewed('b', { viewed_at: minutes(30) }, AT))
    given(sessions, began, viewed('a'))
      .when(ask('view', { view: lateView(31) }))
      .refuses('conflict', 'The session is over')
    expect(isOver({ active_at: null, created_at: AT }, minutes(31))).to.equal(true)
  })

  it('belongs to one contact, and keeps what was typed last', () => {
    const personal = (typed: JsonObject) => ({ ip: null, user_agent: null, referrer: null, typed })
    given(sessions, began)
      .when(ask('identify', { contact_id: 5, typed: { email: 'a@x.test' } }))
      .then({ type: 'VisitorIdentified', data: { contact_id: 5, personal: personal({ email: 'a@x.test' }) } })
    given(sessions, began, identified(5))
      .when(ask('identify', { contact_id: 6, typed: {} }))
      .refuses('conflict', /another contact/)
    given(sessions, began, identified(5))
      .when(ask('identify', { contact_id: 5, typed: {} }))
      .thenNothing()
    given(sessions, began, identified(5))
      .when(ask('identify', { contact_id: null, typed: {} }))
      .thenNothing()
  })

  it('is handed over to the first browser alone', () => {
    const handed = event.SessionHandedOver({ ticket: 't', key: 'k' })
    given(sessions, began)
      .when(ask('handOver', { ticket: 't', key: 'k' }))
      .then(handed)
    given(sessions, began, handed)
      .when(ask('handOver', { ticket: 't', key: 'k' }))
      .thenNothing()
    given(sessions, began, handed)
      .when(ask('handOver', { ticket: 't', key: 'other' }))
      .refuses('conflict', /traded/)
    given(sessions, began, handed)
      .when(ask('handOver', { ticket: 'u', key: 'other' }))
      .then(event.SessionHandedOver({ ticket: 'u', key: 'other' }))
  })

  it('takes nothing more once it is erased', () => {
    given(sessions, began).when(ask('erase')).then(event.SessionErased())
    given(sessions, began, event.SessionErased()).when(ask('erase')).thenNothing()
    given(sessions, began, event.SessionErased())
      .when(ask('view', { view: view('b') }))
      .refuses('notFound', /missing/)
  })
})
