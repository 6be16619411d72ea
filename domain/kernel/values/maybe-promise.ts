/** A value or the promise of one. A value that is available at once costs no turn of the microtask queue. */
export type MaybePromise<T> = T | Promise<T>

/** Applies a function to a value: at once if it is available, otherwise when its promise resolves. */
export const mapMaybe = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
