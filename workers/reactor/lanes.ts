import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { Reaction } from './reaction.ts'

/** A reaction to an event that is to be carried out. */
export interface Task {
  readonly reaction: Reaction
  readonly event: RecordedEvent
  /** When it was taken up, in milliseconds of the process. */
  readonly since: number
  /** Tries that have failed. */
  readonly attempts: number
  /** Whether it is in the books, or on its way there. */
  owed: boolean
  /** Whether the checkpoint waits for it. */
  holds: boolean
  /** Whether how far it has got is in the books. */
  keeps: boolean
}

/** What goes in order: one task after the other. In memory for as long as something of it waits or is under way. */
export interface Lane {
  readonly name: string
  readonly gate: string
  readonly width: number
  /** In order; empty while it owes. */
  queue: Task[]
  running: Task | undefined
  /** Whether it has its turn. */
  busy: boolean
  /** Something of it is in the books: whatever comes is written down behind it. */
  owes: boolean
  /** Rows of it that are being written. */
  writing: number
  /** Where it owes: not before this time, in milliseconds since 1970. */
  due: number
  /** Whether it waits for room. */
  ready: boolean
  /** Whose it is, if anybody's. */
  workspaceId: number | undefined
  /** Where it owes: whether it waits for a time of its own, and not for another try. */
  isEarly: boolean
}

interface Gate {
  running: number
  readonly ready: Lane[]
}

/** Lanes and gates: gates take turns, so that one with much to do holds up no other. */
export class Lanes {
  readonly #room: number
  readonly #lanes = new Map<string, Lane>()
  readonly #gates = new Map<string, Gate>()
  /** Gates at which a lane waits, those that had their turn last at the end. */
  readonly #turns = new Set<Gate>()
  #running = 0

  /** @param room for tasks under way, over all gates */
  constructor(room: number) {
    this.#room = room
  }

  get running(): number {
    return this.#running
  }

  all(): Iterable<Lane> {
    return this.#lanes.values()
  }

  find(name: string): Lane | undefined {
    return this.#lanes.get(name)
  }

  lane(name: string, gate: string, width: number): Lane {
    const known = this.#lanes.get(name)
    if (known) return known
    const lane = {
      name,
      gate,
      width,
      queue: [],
      running: undefined,
      busy: false,
      owes: false,
      writing: 0,
      due: 0,
      ready: false,
      workspaceId: undefined,
      isEarly: false,
    }
    this.#lanes.set(name, lane)
    return lane
  }

  /** A lane has something to do, or may have. */
  offer(lane: Lane): void {
    if (lane.ready || lane.busy) return
    lane.ready = true
    const gate = this.#gates.get(lane.gate) ?? { running: 0, ready: [] }
    this.#gates.set(lane.gate, gate)
    gate.ready.push(lane)
    if (gate.running < lane.width) this.#turns.add(gate)
  }

  /** Whether something of a workspace is under way or could begin, and when the first of what waits for its time is due. */
  waiting(workspaceId: number, now: number): { readonly busy: boolean; readonly due: number | undefined } {
    const own = [...this.#lanes.values()].filter((lane) => lane.workspaceId === workspaceId)
    const dues = own.flatMap(({ owes, isEarly, due }) => (owes && isEarly ? due : []))
    return {
      busy: own.some(
        ({ busy, queue, writing, owes, due }) => busy || queue.length > 0 || writing > 0 || (owes && due <= now),
      ),
      due: dues.length === 0 ? undefined : Math.min(...dues),
    }
  }

  /** Offers the lanes whose time has come. */
  wake(now: number): void {
    for (const lane of this.#lanes.values()) if (lane.owes && lane.due <= now) this.offer(lane)
  }

  /** The lane whose turn it is, if there is room for it; it holds its place until it is released. */
  next(): Lane | undefined {
    if (this.#running >= this.#room) return undefined
    const [gate] = this.#turns
    if (!gate) return undefined
    const lane = gate.ready.shift()!
    gate.running++
    this.#running++
    lane.ready = false
    lane.busy = true
    this.#turns.delete(gate)
    if (gate.ready.length > 0 && gate.running < lane.width) this.#turns.add(gate)
    return lane
  }

  /** The lane's turn is over. */
  release(lane: Lane, now: number): void {
    const gate = this.#gates.get(lane.gate)!
    gate.running--
    this.#running--
    lane.running = undefined
    lane.busy = false
    if (lane.queue.length > 0 || (lane.owes && lane.due <= now)) this.offer(lane)
    else if (!lane.owes && lane.writing === 0) this.#lanes.delete(lane.name)
    if (gate.ready.length > 0) this.#turns.add(gate)
    else if (gate.running === 0) this.#gates.delete(lane.gate)
  }
}
