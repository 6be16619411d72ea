interface Wanted<A, B> {
  readonly asked: A
  readonly resolve: (answer: B) => void
  readonly reject: (error: unknown) => void
}

/**
 * Brings together what is asked of a server one at a time: one call is under way, and all that is asked meanwhile goes with the next. A call costs
 * far more than an entry in it does. Nobody is answered by a call that began before it asked.
 *
 * @param call answers in the order of what was asked
 * @param atMost how much goes with one call
 */
export const callBatcher = <A, B>(
  call: (asked: readonly A[]) => Promise<readonly B[]>,
  atMost = Number.POSITIVE_INFINITY,
): ((asked: A) => Promise<B>) => {
  let waiting: Wanted<A, B>[] = []
  let isUnderWay = false
  const run = async () => {
    // What is asked in the same turn goes together.
    for (await Promise.resolve(); waiting.length > 0; ) {
      const now = waiting.slice(0, atMost)
      waiting = waiting.slice(atMost)
      try {
        const answers = await call(now.map(({ asked }) => asked))
        for (const [index, { resolve }] of now.entries()) resolve(answers[index] as B)
      } catch (error) {
        for (const { reject } of now) reject(error)
      }
    }
    isUnderWay = false
  }
  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      void run()
    })
}
