import type { Answer, Core } from '../checkout-port.ts'

/** Time after which a request counts as unanswered. */
const PATIENCE = 20_000

export const wait = ({ window }: Core['host'], milliseconds: number): Promise<void> =>
  new Promise((resolve) => void window.setTimeout(resolve, milliseconds))

/** Posts to the SDK's host, and does not wait for ever for the answer. */
export const call = async <T>(core: Core, path: string, body: object): Promise<Answer<T>> => {
  const { window } = core.host
  let timer: number | undefined
  const late = new Promise<Answer<T>>((resolve) => {
    const failure = { ok: false, error: { code: 'unreachable', message: 'The shop did not answer in time.' } } as const
    timer = window.setTimeout(() => resolve(failure as Answer<T>), PATIENCE)
  })
  const answer = await Promise.race([core.call<T>(path, body), late])
  window.clearTimeout(timer)
  return answer
}
