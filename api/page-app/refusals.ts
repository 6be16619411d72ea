import type { Refusal } from '../../domain/kernel/values/refusal.ts'
import { filled } from '../html/filled.ts'
import { type Page, saying, statusOfRefused } from '../html/page.ts'
import type { ApiContext } from '../http/context.ts'

/** Texts of pages that say what was not done. */
export interface AppWords {
  readonly missing: { readonly title: string; readonly text: string }
  readonly refused: {
    readonly title: string
    readonly text: string
    /** The form is too old, or came from elsewhere. */
    readonly expired: string
    readonly busy: string
    /** Default: the usual text. */
    readonly tooLarge?: string
    /** After too many attempts, with `{minutes}`. Default: that the service is busy. */
    readonly tooManyAttempts?: string
  }
}

export const missingPage = ({ missing: { title, text } }: AppWords, status = 404): Page =>
  saying(title, text, undefined, status)

export const expiredPage = ({ refused: { title, expired } }: AppWords): Page => saying(title, expired, undefined, 403)

/** Returns the page that shows a refusal. */
export const refusalPage = (words: AppWords, ctx: Pick<ApiContext, 'set'>, { kind, retryAfter = 1 }: Refusal): Page => {
  const { title, text, busy, tooLarge = text, tooManyAttempts } = words.refused
  if (kind === 'notFound') return missingPage(words)
  if (kind !== 'unavailable' && kind !== 'tooMany')
    return saying(title, kind === 'tooLarge' ? tooLarge : text, undefined, statusOfRefused(kind))
  ctx.set('Retry-After', String(retryAfter))
  if (kind === 'unavailable' || tooManyAttempts === undefined) return saying(title, busy, undefined, 503)
  const minutes = Math.max(1, Math.ceil(retryAfter / 60))
  return saying(title, filled(tooManyAttempts, { minutes }), undefined, 429)
}
