interface QueuedRequest<A, B> {
  readonly request: A
  readonly resolve: (answer: B) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines requests to a server into batches. One call is in flight at a time, and requests that arrive meanwhile share the next call: a call costs
 * far more than an entry in it. No request is answered by a call that began before the request was made.
 *
 * @param call returns the answers in the order of the requests
 * @param atMost maximum number of requests in one call
 */
export const callBatcher = <A, B>(
  call: (requests: readonly A[]) => Promise<readonly B[]>,
  atMost = Number.POSITIVE_INFINITY,
): ((request: A) => Promise<B>) => {
  let waiting: QueuedRequest<A, B>[] = []
  let isUnderWay = false
  const run = async () => {
    // Requests made in the same turn go together.
    for (await Promise.resolve(); waiting.length > 0; ) {
      const batch = waiting.slice(0, atMost)
      waiting = waiting.slice(atMost)
      try {
        const answers = await call(batch.map(({ request }) => request))
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as B)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isUnderWay = false
  }
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      void run()
    })
}
