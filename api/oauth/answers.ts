import type { ApiContext } from '../http/context.ts'
import { EXPOSED, SENT_BY_AGENTS } from '../http/cross-origin.ts'

const READABLE = [...EXPOSED, 'Mcp-Session-Id'].join(', ')

/**
 * Lets pages of every origin read an answer, and answers a preflight. No answer allows cookies.
 *
 * @returns whether the request was a preflight
 */
export const shareWithPages = (ctx: ApiContext, methods: string): boolean => {
  ctx.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': READABLE })
  if (ctx.method !== 'OPTIONS') return false
  ctx.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': SENT_BY_AGENTS,
    'Access-Control-Max-Age': '7200',
  })
  ctx.status = 204
  return true
}

/** Answers with an error in OAuth's form (RFC 6749 5.2). */
export const answerError = (ctx: ApiContext, status: number, error: string, description: string): void => {
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  ctx.body = { error, error_description: description }
}
