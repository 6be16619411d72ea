/** Time at which a record receives a command by itself. */
export interface Timer<R = never, Name extends string = string> {
  /** Unique within the model. Ids of fired events are derived from it, so it never changes. */
  readonly name: Name
  /** Raise it when `due` gives different results for the same record. Default: 1. */
  readonly version?: number
  /** Returns the due time, ISO 8601, or `null` when the timer is off. It must not depend on personal attributes. */
  due(record: R): string | null
  /** Types of the events that may change the due time. Others need not be looked at. Default: all events of the stream. */
  readonly movedBy?: readonly string[]
}

/** Timers by their names, as a model declares them. */
export type TimerTable<Name extends string, R> = { readonly [name in Name]: Omit<Timer<R>, 'name'> }
