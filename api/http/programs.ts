import { isbot } from 'isbot'
import type { ApiContext } from './context.ts'
import { remembering } from './remembering.ts'

/** Agents that say nothing of themselves: every browser does. */
const BLANK = /^\s*$/

const read = (userAgent: string): boolean => BLANK.test(userAgent) || isbot(userAgent)

/** Returns whether a `User-Agent` is that of a program: a crawler, a preview, a check, a library. Splits, views and fetches of mails go by it. */
export const isProgram = remembering(read, { most: 5000, longest: 512 })

/** Headers of browsers that load what nobody has asked for yet, in their present spelling and those before it. */
const IN_ADVANCE = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'] as const

/** Returns whether a browser loads a page in advance: it may be shown later, or never. */
export const isInAdvance = (ctx: Pick<ApiContext, 'get'>): boolean =>
  IN_ADVANCE.some((name) => /prefetch|prerender|preview/i.test(ctx.get(name)))
