import type { RecordedEvent } from '../../../../domain/kernel/values/event.ts'

/** What a trigger of a history waits for: a tag, or an opt-in on a page. */
export interface Awaited {
  readonly key: 'tag' | 'untag' | 'optin'
  readonly id: number
  readonly active: boolean
}

/** What the history has made of a workflow, from a position of the log on. */
export interface Stage {
  readonly from: number
  readonly workflow: number
  readonly enabled: boolean
  readonly triggers: readonly Awaited[]
}

/** A run as the log tells it. */
interface ToldRun {
  readonly id: number
  readonly workflow: number
  readonly contact: number
  /** Event that started it; `undefined`: it was started by hand, or another run moved its contact here. */
  readonly by: number | undefined
  /** Event that it names, which a run takes over from the one that moved its contact here. */
  readonly event: number | undefined
  readonly from: number | undefined
  readonly forced: boolean
  readonly began: number
  ended: number
}

/** Something that happened to a contact. */
interface Happened extends Pick<Awaited, 'key' | 'id'> {
  readonly position: number
  readonly stream: string
  readonly contact: number
  /** Run of which it is an effect. */
  readonly of: number | undefined
}

const idIn = (stream: string): number => Number(stream.slice(stream.lastIndexOf('-') + 1))

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** Most runs of one contact in one workflow that may come from one event. */
const MOST_ENTRIES = 5
const MOST_HOPS = 10

/** Reads a log as a person would, and says who had to enter a workflow by what, and who had not. */
export class Oracle {
  readonly runs = new Map<number, ToldRun>()
  readonly #happened: Happened[] = []
  readonly #disabled: { readonly workflow: number; readonly at: number }[] = []
  readonly #cut = new Set<string>()
  readonly #stages: readonly Stage[]
  readonly #lookedAt: ReadonlyMap<number, number>

  /** @param lookedAt number of events of the log when the entries of an event had been looked at first */
  constructor(events: readonly RecordedEvent[], stages: readonly Stage[], lookedAt: ReadonlyMap<number, number>) {
    this.#stages = stages
    this.#lookedAt = lookedAt
    for (const event of events) this.#read(event)
  }

  #read({ type, data, stream, position, metadata: { $correlationId } }: RecordedEvent): void {
    const of = $correlationId.startsWith('run:') ? Number($correlationId.slice(4)) : undefined
    const at = { position, stream, of }
    const id = idIn(stream)
    if (type === 'ContactTagApplied') this.#happened.push({ ...at, key: 'tag', id: Number(data.tag_id), contact: id })
    if (type === 'ContactTagRemoved') this.#happened.push({ ...at, key: 'untag', id: Number(data.tag_id), contact: id })
    if (type === 'PageFormSubmitted')
      this.#happened.push({ ...at, key: 'optin', id: Number(data.page_id), contact: Number(data.contact_id) })
    if (type === 'WorkflowDisabled') this.#disabled.push({ workflow: id, at: position })
    if (type === 'RunChainCut') this.#cut.add(`${id} ${data.workflow_id}`)
    if (type === 'RunStarted') this.#begin(id, data, position)
    const told = this.runs.get(id)
    const isOver = type === 'RunCanceled' || (type === 'RunStepPassed' && data.next_step_id === null)
    if (told && isOver && stream.startsWith('workflows/run-')) told.ended = Math.min(told.ended, position)
  }

  #begin(id: number, data: RecordedEvent['data'], began: number): void {
    const from = numberOr(data.from_run_id)
    const event = numberOr(data.event_id)
    const isMoved = from !== undefined && this.runs.get(from)?.event === event
    this.runs.set(id, {
      ...{ id, from, began, event, forced: data.forced === true, by: isMoved ? undefined : event },
      ...{ workflow: Number(data.workflow_id), contact: Number(data.contact_id) },
      ended: data.status === 'completed' ? began : Number.POSITIVE_INFINITY,
    })
  }

  #stageAt(workflow: number, position: number): Stage | undefined {
    return this.#stages.findLast((one) => one.workflow === workflow && one.from <= position)
  }

  /** Runs that led to one, the first of them in front. */
  #lineage(id: number | undefined): readonly ToldRun[] {
    const told = id === undefined ? undefined : this.runs.get(id)
    return told ? [...this.#lineage(told.from), told] : []
  }

  #originOf(one: ToldRun): string {
    const [first = one] = this.#lineage(one.id)
    return first.by === undefined ? `run ${first.id}` : `event ${first.by}`
  }

  /** Whether a run that keeps an event out may do so: it was under way then, or had come before the event was looked at. */
  #keepsOut(one: ToldRun, { position, stream }: Happened, streamOf: (position: number) => string | undefined): boolean {
    if (one.ended < position) return false
    if (one.by !== undefined && one.by < position) return true
    if (one.by === undefined && one.began < position) return true
    // What happened to the same record is looked at in its order.
    const isOvertaking = one.by === undefined || streamOf(one.by) !== stream
    return isOvertaking && one.began < (this.#lookedAt.get(position) ?? Number.POSITIVE_INFINITY)
  }

  /** Returns what of the log is wrong, in words. */
  faults(): readonly string[] {
    const streams = new Map(this.#happened.map(({ position, stream }) => [position, stream]))
    return [
      ...this.#happened.flatMap((one) => this.#faultsOf(one, (position) => streams.get(position))),
      ...this.#strangers(),
      ...this.#besides(),
      ...this.#broad(),
    ]
  }

  #faultsOf(one: Happened, streamOf: (position: number) => string | undefined): readonly string[] {
    return [...new Set(this.#stages.map(({ workflow }) => workflow))].flatMap((workflow) => {
      const stage = this.#stageAt(workflow, one.position)
      const isAwaited =
        stage?.enabled && stage.triggers.some(({ key, id, active }) => active && key === one.key && id === one.id)
      const ofBoth = [...this.runs.values()].filter((run) => run.workflow === workflow && run.contact === one.contact)
      const own = ofBoth.filter(({ by }) => by === one.position)
      const others = ofBoth.filter(({ by }) => by !== one.position)
      const what = `${one.key} ${one.id} of ${one.contact} at ${one.position}, workflow ${workflow}`
      if (own.length > 1) return [`${what}: entered ${own.length} times`]
      if (!isAwaited) return own.length > 0 ? [`${what}: entered, but was not awaited`] : []
      const was = others.find(({ by, began, ended }) => (by ?? began) < one.position && ended > one.position)
      if (own.length > 0) return was ? [`${what}: entered beside run ${was.id}`] : []
      const isOff = this.#disabled.some((off) => off.workflow === workflow && off.at > one.position)
      const isCut = one.of !== undefined && this.#cut.has(`${one.of} ${workflow}`)
      return isOff || isCut || others.some((run) => this.#keepsOut(run, one, streamOf)) ? [] : [`${what}: lost`]
    })
  }

  /** Runs by events that happened to nobody. */
  #strangers(): readonly string[] {
    const happened = new Set(this.#happened.map(({ position, contact }) => `${position} ${contact}`))
    return [...this.runs.values()]
      .filter(({ by, contact }) => by !== undefined && !happened.has(`${by} ${contact}`))
      .map(({ id }) => `run ${id}: nothing started it`)
  }

  /** Runs that began while another one was under way, without being forced. */
  #besides(): readonly string[] {
    const all = [...this.runs.values()]
    return all
      .filter((one) => !one.forced)
      .filter(({ id, workflow, contact, began }) =>
        all.some(
          (other) =>
            other.id !== id &&
            other.workflow === workflow &&
            other.contact === contact &&
            other.began < began &&
            other.ended > began,
        ),
      )
      .map(({ id }) => `run ${id}: began beside another`)
  }

  #broad(): readonly string[] {
    const counts = new Map<string, number>()
    for (const one of this.runs.values()) {
      const key = `${this.#originOf(one)}, workflow ${one.workflow}, contact ${one.contact}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const deep = [...this.runs.keys()].filter((id) => this.#lineage(id).length > MOST_HOPS)
    return [
      ...[...counts].filter(([, count]) => count > MOST_ENTRIES).map(([key, count]) => `${key}: ${count} runs`),
      ...deep.map((id) => `run ${id}: too deep`),
    ]
  }
}
