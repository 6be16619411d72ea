import type { Host } from '../checkout-port.ts'
import type { Page } from '../core/parts.ts'
import type { Natives } from './natives.ts'
import { entriesOf } from './registry.ts'

/** Posts submissions by leaving the page: one, however often it is asked for. */
export const submitter = (host: Host, { post }: Natives) => {
  let isBusy = false
  return {
    submit: async (page: Page, elements: readonly Element[]): Promise<void> => {
      if (isBusy) return
      isBusy = true
      const { token, url } = page
      const data = JSON.stringify(entriesOf(elements))
      const answer = await page.call<{ nonce: string }>('/nonce', {})
      if (!answer.ok) {
        isBusy = false
        if (answer.error.code !== 'abandoned') host.console.warn('The form was not submitted:', answer.error)
        return
      }
      const session = page.identity?.session()
      // From here on the browser has it, and the guard stays: a second navigation would be a second submission.
      post(`${host.sdk}/submit`, { token, url, nonce: answer.nonce, ...(session && { session }), data })
    },
    release: (): void => {
      isBusy = false
    },
  }
}
