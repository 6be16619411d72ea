import { attempt } from './attempt.ts'
import type { Page } from './parts.ts'

/** Those who wait for a page of which the server has answered: what they wait by, and what tells them. */
export const waitingFor = (current: () => Page | undefined) => {
  const waiting: ((page: Page) => void)[] = []
  /** The page of the token that stands there when the caller is through: components of a page ask before the page has changed its token. */
  const ready = async () => {
    await null
    const page = attempt(current)
    return page?.init ? page : new Promise<Page>((resolve) => waiting.push(resolve))
  }
  const answered = (page: Page) => {
    for (const resolve of waiting.splice(0)) resolve(page)
  }
  return [ready, answered] as const
}
