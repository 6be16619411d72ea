/** Work that the parts of one mail may cause together, in characters handled or their like. */
const WORK = 2_000_000

/** Work that one tag, output or piece of text costs at least. */
const STEP = 200

/** Work of looking into an entry of a list. */
const ENTRY = 50

/** Characters in one value, such as a captured text. A mail of more is cut by the large providers. */
const LONGEST_TEXT = 200_000

/** Entries of a list. */
const LONGEST_LIST = 10_000

/** A template asks for more than its mail may cost. */
export class BudgetSpent extends Error {}

/**
 * Counts the work of a mail. It counts steps and characters rather than time, so that the same template with the same values always has the same
 * outcome, however busy the machine is. The limits are set so that a mail takes less than 50 ms of a slow processor.
 */
export class Budget {
  #left = WORK

  /** Takes the work of making something of a size, before it is made. */
  make(size: number): void {
    if (size > LONGEST_TEXT) throw new BudgetSpent('a text or list in the template becomes too long')
    this.use(size)
  }

  /** Takes work from the budget. */
  use(work: number): void {
    if (!(work > 0)) return
    this.#left -= work
    if (this.#left < 0) throw new BudgetSpent('the template takes too long or makes too much')
  }

  /** Takes the work of looking into each entry of a list, several times if that is needed. */
  lookInto(list: unknown, times = 1): void {
    if (Array.isArray(list)) this.use(ENTRY * times * list.length)
  }

  /** Takes a step: a tag, an output or a piece of text. */
  check(): void {
    this.use(STEP)
  }

  /** Takes the work of handling a value. */
  handle(value: unknown): void {
    if (typeof value === 'string') this.#text(value)
    else if (Array.isArray(value)) this.#list(value)
    else if (value !== null && typeof value === 'object') this.use(Object.keys(value).length)
    else this.use(1)
  }

  /** Bounds a text that becomes longer. */
  hold({ length }: string): void {
    if (length > LONGEST_TEXT) throw new BudgetSpent('a text in the template becomes too long')
  }

  #text(text: string): void {
    this.hold(text)
    this.use(text.length)
  }

  #list(list: readonly unknown[]): void {
    if (list.length > LONGEST_LIST) throw new BudgetSpent('a list in the template becomes too long')
    this.use(list.length)
    for (const one of list) this.handle(one)
  }
}
