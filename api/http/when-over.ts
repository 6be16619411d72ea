import type { ServerResponse } from 'node:http'

/** Calls back once an answer is over: sent, or its client gone, also where that was before anybody waited for it. */
export const whenOver = (res: Pick<ServerResponse, 'closed' | 'once'>, done: () => void): void => {
  if (res.closed) done()
  else res.once('close', done)
}
