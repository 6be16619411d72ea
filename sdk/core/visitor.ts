import { attempt } from './attempt.ts'
import type { CoreHost } from './host.ts'
import type { Page } from './parts.ts'
import { takeUnlessPrevented } from './takeover.ts'

/** What is asked, and done, when the visitor does something. */
export interface Surroundings {
  /** The page that is open now. */
  current(): Page | undefined
  /** Does what the visitor asked for on a page, as soon as it can be done. */
  act(token: string, element: HTMLElement, submitter?: HTMLElement | null): void
  /** The page is back from the browser's memory. */
  restored(page: Page): void
}

/** Hears what the visitor does, before the page's own listeners, and never lets anything that goes wrong reach the page. */
export const hearVisitor = (host: CoreHost, { current, act, restored }: Surroundings): void => {
  const hear = <Type extends keyof WindowEventMap>(
    type: Type,
    listener: (event: WindowEventMap[Type], page: Page) => void,
  ) => {
    const safely = (event: WindowEventMap[Type]) =>
      attempt(() => {
        const page = current()
        if (page && page.init?.ok !== false) listener(event, page)
      })
    host.window.addEventListener(type, safely, true)
  }
  hear('submit', (event, { token }) => {
    const form = event.target as HTMLElement
    if (form.querySelector('[data-cf-element]')) {
      takeUnlessPrevented(host, event, () => act(token, form, event.submitter))
    }
  })
  hear('click', (event, { token }) => {
    const button = (event.target as Element).closest<HTMLElement>('button[data-cf-element^=oto-]')
    if (!button) return
    event.preventDefault()
    act(token, button)
  })
  hear('pageshow', (event, page) => event.persisted && restored(page))
}
