import { Type } from 'typebox'
import type { Json, JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Agent } from '../agent.ts'
import { answerOf } from '../calls/answer.ts'
import { carryOut, carryOutOrEnd, isDone } from '../calls/carry-out.ts'
import { idOf, mayRead, mayWrite } from './task.ts'
import { tool } from './tool.ts'

/** Most pages of a funnel that is made at once. */
const MOST_PAGES = 20

const page = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    kind: Type.Union([Type.Literal('page'), Type.Literal('custom_html_page'), Type.Literal('external_page')], {
      description:
        'page: headline, paragraphs and more, or markup. custom_html_page: html. external_page: external_url',
    }),
    headline: Type.Optional(Type.String({ maxLength: 500 })),
    paragraphs: Type.Optional(Type.Array(Type.String({ maxLength: 5000 }), { maxItems: 30 })),
    asks_for_email: Type.Optional(Type.Boolean({ description: 'A form that makes visitors contacts' })),
    button: Type.Optional(Type.String({ maxLength: 100, description: 'Text of the button of that form' })),
    checkout: Type.Optional(Type.Boolean({ description: 'A checkout of the products of the page' })),
    product_ids: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 20 })),
    markup: Type.Optional(Type.String({ description: 'In place of all that: the markup of docs/pages' })),
    html: Type.Optional(Type.String({ description: 'A whole HTML document' })),
    external_url: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
)

/** A page as it is asked for. */
interface WantedPage {
  readonly name: string
  readonly kind: 'page' | 'custom_html_page' | 'external_page'
  readonly headline?: string
  readonly paragraphs?: string[]
  readonly asks_for_email?: boolean
  readonly button?: string
  readonly checkout?: boolean
  readonly product_ids?: number[]
  readonly markup?: string
  readonly html?: string
  readonly external_url?: string
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns the markup of a page that is described in words. */
const markupOf = ({ headline, paragraphs = [], asks_for_email, button = 'Continue', checkout }: WantedPage): string => {
  const elements = [
    ...(headline === undefined ? [] : [`<headline>${escaped(headline)}</headline>`]),
    ...paragraphs.map((text) => `<paragraph>${escaped(text)}</paragraph>`),
    ...(asks_for_email
      ? ['<input type="email" name="email" label="E-mail" required="true"/>', `<button>${escaped(button)}</button>`]
      : []),
    ...(checkout ? ['<checkout/>'] : []),
  ]
  return `<section><row><column>${elements.join('')}</column></row></section>`
}

const makePage = (agent: Agent, wanted: WantedPage, funnelId: Json, at: number, key: string): Promise<Json> => {
  const { name, kind, product_ids, markup, html = '', external_url = '' } = wanted
  const common = { name, sort_order: at, funnel: { funnel_id: funnelId, ...(product_ids && { product_ids }) } }
  if (kind === 'external_page')
    return carryOutOrEnd(agent, 'createExternalPage', { body: { page: { ...common, external_url } } }, key)
  const content = kind === 'custom_html_page' ? `<customhtml>${html}</customhtml>` : (markup ?? markupOf(wanted))
  return carryOutOrEnd(agent, 'createPage', { body: { page: { ...common, markup: content } } }, key)
}

export const makeFunnel = tool({
  name: 'make_funnel',
  title: 'Make a funnel',
  description:
    'Makes a funnel with its pages in order, such as opt-in, offer, thank-you. The funnel begins in test mode: nothing of it counts until somebody switches live_mode on.',
  input: {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    pages: Type.Array(page, { minItems: 1, maxItems: MOST_PAGES }),
  },
  data: 'funnel, pages',
  level: 'write',
  needs: () => [mayWrite('funnels')],
  async run({ name, pages }, { agent, key, progress }) {
    const made = await carryOut(agent, 'createFunnel', { body: { funnel: { name, live_mode: false } } }, key)
    if (!isDone(made)) return answerOf(made)
    const funnel = made.body as JsonObject
    const shown: Json[] = []
    for (const [at, wanted] of pages.entries()) {
      shown.push(await makePage(agent, wanted, funnel.id ?? null, at, `${key}:${at}`))
      await progress(at + 1, pages.length)
    }
    return { says: answerOf(made).says, data: { funnel, pages: shown } }
  },
})

const time = (about: string) => Type.Optional(Type.String({ maxLength: 40, description: `ISO 8601; ${about}` }))

export const funnelFigures = tool({
  name: 'funnel_figures',
  title: 'Figures of a funnel',
  description: 'Returns views, opt-ins and sales of a funnel and its steps in a range of time of at most 90 days.',
  input: {
    funnel_id: idOf('Id of a funnel'),
    from: time('default: 30 days ago'),
    to: time('default: now'),
    live_mode: Type.Optional(Type.Boolean({ description: 'false: what happened in test mode. Default: true' })),
  },
  data: 'figures, structure',
  level: 'read',
  needs: () => [mayRead('funnels')],
  async run({ funnel_id: id, from, to, live_mode }, { agent }) {
    const query = {
      ...(from !== undefined && { timerange_start: from }),
      ...(to !== undefined && { timerange_end: to }),
      ...(live_mode !== undefined && { live_mode }),
    }
    const figures = await carryOutOrEnd(agent, 'getFunnelStats', { path: { id }, query })
    const structure = await carryOutOrEnd(agent, 'getFunnelStructure', { path: { id } })
    return { says: {}, data: { figures, structure } }
  },
})
