import { isClockAdvancing } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import { placements } from '../../domain/visits/public.ts'
import type { ApiContext } from '../http/context.ts'
import { locationWithin } from '../http/location.ts'
import { isInAdvance, isProgram } from '../http/programs.ts'
import { answerPage } from '../sdk/html.ts'
import { type Decided, decide, type Placed, programTarget } from './decide.ts'
import { meetsFilter } from './known-contact.ts'
import { locationOf, type Outcome } from './outcome.ts'
import { type Branch, placesCookie } from './places.ts'
import type { PagesService } from './service.ts'

type EntryOutcome = Extract<Outcome, { readonly kind: 'entry' }>

/** Records a new place. A visitor goes on even where the log cannot be written. @throws {Refusal} unavailable, while a test clock is being advanced */
const record = async (
  { split, branch, again }: Placed,
  { page: page_id, step: show_page_step_id }: Pick<Decided, 'page' | 'step'>,
  { funnel }: EntryOutcome,
  service: PagesService,
  requestId: string,
) => {
  const { engine, ids, now, logger } = service
  const { workspaceId, teamId } = funnel
  const wanted = {
    funnel_id: funnel.id,
    split_id: split.id,
    branch,
    ...{ show_page_step_id, page_id },
    weights: split.weights,
    live_mode: funnel.isLive,
    again,
  }
  const at = new Date(now(workspaceId)).toISOString()
  const occasion = { actor: { label: 'visitor' }, at, cause: requestId, teamId, workspaceId }
  try {
    await desk({ engine, ids })(occasion, ask(placements, 'new', 'create', wanted))
  } catch (error) {
    if (isClockAdvancing(error)) throw error
    logger.warn({ err: error, request_id: requestId }, 'the entry of a visitor was not recorded')
  }
}

/** Refuses what nobody may ever look at. Browsers then ask again when the page is to be shown; one that shows this answer goes on by itself. */
const refuseInAdvance = (ctx: ApiContext): void => {
  const url = ctx.url.replace(/^\/+/, '/')
  const [title, text] = ['One moment', 'Continue']
  answerPage(ctx, 503, { title, sentences: [], links: [{ text, url }], refresh: url })
}

/** Creates what sends visitors of a funnel to one of its beginnings. Neither programs nor pages that are loaded in advance are drawn or counted. */
export const entering = (service: PagesService) => {
  const cookie = placesCookie(service.secrets)
  return async (ctx: ApiContext, outcome: EntryOutcome, query: string): Promise<void> => {
    ctx.status = 302
    ctx.body = ''
    ctx.set('Cache-Control', 'no-store')
    if (ctx.method === 'HEAD' || isProgram(ctx.get('User-Agent'))) {
      ctx.set('Location', locationWithin(locationOf(programTarget(outcome.entry), query)))
      return
    }
    if (isInAdvance(ctx)) {
      refuseInAdvance(ctx)
      return
    }
    const places = cookie.read(ctx.headers.cookie, ctx.secure)
    const { workspaceId } = outcome.funnel
    const meets = (filterId: number | null) =>
      meetsFilter(service, { cookies: ctx.headers.cookie ?? '', workspaceId }, filterId)
    const decided = await decide(outcome.entry, { places, meets })
    const { to, placed } = decided
    ctx.set('Location', locationWithin(locationOf(to, query)))
    if (placed.length === 0) return
    const after = new Map<number, Branch>(places)
    for (const { split, branch } of placed) {
      // A place that is given anew is the newest one.
      after.delete(split.id)
      after.set(split.id, branch)
    }
    for (const one of placed) await record(one, decided, outcome, service, ctx.state.requestId)
    ctx.set('Set-Cookie', cookie.write(after, ctx.secure))
  }
}
