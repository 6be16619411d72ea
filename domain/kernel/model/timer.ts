/** Something that is asked of a record when its time has come (design 7). */
export interface Timer<R = never, Name extends string = string> {
  /** Unique within the model; what was fired is known by it, so that it stays as it is. */
  readonly name: Name
  /** Raised when `due` comes out differently for the same record. Default: 1. */
  readonly version?: number
  /** When it is due, ISO 8601; `null`: never, as things stand. Goes by what is not personal. */
  due(record: R): string | null
}

/** Timers by their names, as a model declares them. */
export type TimerTable<Name extends string, R> = { readonly [name in Name]: Omit<Timer<R>, 'name'> }
