import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { ApiContext } from '../http/context.ts'
import { sendText, setAmong } from '../http/send-text.ts'
import { fieldsOfText } from '../http/utf8.ts'
import { originIn, sharedWith } from './calls.ts'
import { catalogueOf } from './catalogue.ts'
import { type FoundPage, pageOf } from './page-of.ts'
import { SdkRefusal } from './refusal.ts'
import type { BeginningAnswer, SdkService } from './service.ts'

const CACHE = 'private, max-age=120'
/** Longest query whose answer is kept in memory. */
const LONGEST_KEPT = 600

/** Returns what a page needs to begin. Browsers keep the answer for two minutes, so it holds nothing of a visitor. */
const beginningOf = async (service: SdkService, found: FoundPage): Promise<JsonObject> => {
  const { mode, step, registeredUrl, workspaceId } = found
  return {
    mode,
    in_funnel: step !== undefined,
    registered_url: registeredUrl,
    // Keeps what browsers store of two workspaces on one origin apart.
    space: service.publicIds.of('workspace').encode(workspaceId),
    ...(await catalogueOf(service, found)),
  }
}

const textOf = (query: URLSearchParams, name: string): string => {
  const value = query.get(name)
  if (value === null) throw new SdkRefusal('bad_request', `${name} is missing`)
  return value
}

const answerTo = async (service: SdkService, query: string, origin: string): Promise<BeginningAnswer> => {
  const asked = fieldsOfText(query)
  const found = await pageOf(service, {
    token: textOf(asked, 'sdk_page_token'),
    url: textOf(asked, 'url'),
    origin,
  })
  return { text: JSON.stringify({ ok: true, ...(await beginningOf(service, found)) }) }
}

/** Answers the beginning of a page, also its refusals, for two minutes. */
export const init = (service: SdkService) => async (ctx: ApiContext) => {
  setAmong(ctx.state.headers, 'Cache-Control', CACHE)
  const origin = originIn(ctx)
  const query = ctx.querystring
  const answer = () => answerTo(service, query, origin)
  const { text } = await (query.length > LONGEST_KEPT ? answer() : service.beginnings(`${origin} ${query}`, answer))
  sendText(ctx, 200, text, sharedWith(origin))
}
