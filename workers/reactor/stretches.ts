/** Part of the log: what comes after one event, up to another. */
interface Stretch {
  readonly after: number
  readonly upTo: number
}

/** Number of stretches above which neighbours become one. */
const MOST = 1024

/** Remembers in which stretches of the log there are events that wait, so that what lies between them need not be read. */
export class Stretches {
  #all: Stretch[] = []

  /**
   * Notes that an event waits. Events are noted in the order of the log.
   *
   * @param before position of the event before it
   */
  note(before: number, position: number): void {
    const last = this.#all.at(-1)
    if (last && before <= last.upTo) this.#all[this.#all.length - 1] = { after: last.after, upTo: position }
    else this.#all.push({ after: before, upTo: position })
    if (this.#all.length > MOST) this.#all = inPairs(this.#all)
  }

  /**
   * Returns a position after which the next event comes that waits, the cursor or a later one; `undefined`: there is none.
   *
   * @param cursor position up to which no event waits any more
   */
  next(cursor: number): number | undefined {
    const first = this.#all.findIndex(({ upTo }) => upTo > cursor)
    this.#all.splice(0, first < 0 ? this.#all.length : first)
    const [next] = this.#all
    return next && Math.max(cursor, next.after)
  }
}

const inPairs = (all: readonly Stretch[]): Stretch[] =>
  all.flatMap(({ after, upTo }, index) => (index % 2 ? [] : [{ after, upTo: all[index + 1]?.upTo ?? upTo }]))
