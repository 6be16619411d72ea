import type { JsonObject } from './event.ts'

/** Something that is asked of a record when its time has come (design 7). */
export interface Timer<R = never> {
  /** Unique within the model; what was fired is known by it, so that it stays as it is. */
  readonly name: string
  /** Raised when `due` comes out differently for the same record. Default: 1. */
  readonly version?: number
  /** When it is due, ISO 8601; `null`: never, as things stand. Goes by what is not personal. */
  due(record: R): string | null
  /** The act that the record is asked for then: it moves what is due, or ends it. */
  fires(record: R): Fired
}

/** An act, and what it goes by. */
export interface Fired {
  readonly type: string
  readonly wanted: JsonObject
}
