/** A value, or the promise of one: what can be had at once costs no turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with a value, at once where it is there. */
export const mapMaybe = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
