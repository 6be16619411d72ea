import { broadcast } from '../../domain/emails/broadcast/model.ts'
import { sizeOfPiece } from '../../domain/emails/broadcast/pieces.ts'
import { broadcasts } from '../../domain/emails/broadcast/rules.ts'
import { beginMailing } from '../../domain/emails/mailing/begin.ts'
import { mailing } from '../../domain/emails/mailing/model.ts'
import { MOST_RECIPIENTS } from '../../domain/emails/mailing/outcomes.ts'
import { BROADCAST, causeOfPiece } from '../../domain/emails/mailing/purpose.ts'
import { mailings } from '../../domain/emails/mailing/rules.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { OLDER_COPY, type OlderCopy } from '../older-copy.ts'
import type { Clock } from '../reactor/lanes.ts'
import { DONE, type Outcome, STOPPED, type TaskTurn } from '../reactor/reaction.ts'
import { type AudienceDeps, dropAudience, readPiece, storeAudience } from './audience.ts'

/** Dependencies of sending broadcasts. */
export interface BroadcastDeps extends AudienceDeps {
  readonly engine: Engine
  readonly olderCopy: OlderCopy
  readonly ids: Ids
  readonly now: Clock
  /** Waits until the documents are at least as new as a position. */
  readonly seen: (at: Pick<RecordedEvent, 'position'>) => Promise<void>
}

type Broadcast = RecordOf<typeof broadcast>

const ACTOR = workerActor('broadcasts')

/** Why the mailings of a paused broadcast wait. */
const PAUSED = 'broadcast_paused'

/** Carries a broadcast on from where it is. Each of its commands may be repeated. */
export class Sending {
  readonly #deps: BroadcastDeps
  readonly #turn: TaskTurn
  readonly #id: number
  readonly #revision: number

  constructor(deps: BroadcastDeps, turn: TaskTurn, id: number, revision: number) {
    this.#deps = deps
    this.#turn = turn
    this.#id = id
    this.#revision = revision
  }

  /** Resolves the audience, unless that was done, and begins a mailing to each piece. */
  async send(): Promise<Outcome> {
    const begun = await this.#record()
    if (!begun || !isSending(begun)) return DONE
    if (begun.target_count === null && !(await this.#resolve(begun))) return STOPPED
    const resolved = await this.#record()
    const from = await this.#turn.cursor()
    for (let piece = Number(from ?? 0); piece < (resolved?.mailing_ids.length ?? 0); piece++) {
      if (this.#turn.stopping()) return STOPPED
      const present = await this.#record()
      if (!present || !isSending(present)) return DONE
      await this.#begin(present, piece)
      await this.#turn.saveCursor(piece + 1)
    }
    await dropAudience(this.#deps, this.#id)
    return DONE
  }

  /** Lets a broadcast of an older copy wait for the operator's word. */
  async hold(): Promise<Outcome> {
    const of = await this.#record()
    if (of && isSending(of)) await this.#carryOut(of, ask(broadcasts, this.#id, 'pause', { reason: OLDER_COPY }))
    return DONE
  }

  /** Keeps all mailings from going on. */
  async pause(): Promise<Outcome> {
    const of = await this.#record()
    return of?.status === 'paused' ? this.#each(of, (id) => ask(mailings, id, 'hold', { reason: PAUSED })) : DONE
  }

  /** Lets the mailings go on that a pause has kept, and begins the others. */
  async resume(): Promise<Outcome> {
    const of = await this.#record()
    if (!of || !isSending(of)) return DONE
    const released = await this.#each(of, (id, reason) =>
      reason === PAUSED ? ask(mailings, id, 'release', {}) : undefined,
    )
    return released === STOPPED ? STOPPED : this.send()
  }

  /** Cancels what is not yet on its way. */
  async cancel(): Promise<Outcome> {
    const of = await this.#record()
    if (!of) return DONE
    for (const [piece, id] of of.mailing_ids.entries()) {
      if (this.#turn.stopping()) return STOPPED
      const canceled = { canceled: sizeOfPiece(of.target_count ?? 0, piece) }
      const isBegun = (await this.#mailing(id)) !== undefined
      await this.#carryOut(
        of,
        isBegun
          ? ask(mailings, id, 'cancel', {})
          : ask(broadcasts, this.#id, 'settle', { mailing_id: id, outcomes: canceled, unbegun: true }),
      )
    }
    await dropAudience(this.#deps, this.#id)
    return DONE
  }

  async #record(): Promise<Broadcast | undefined> {
    return (await this.#deps.engine.records(broadcasts, this.#id, this.#revision)).root(broadcast)
  }

  async #mailing(id: number) {
    return (await this.#deps.engine.records(mailings, id, -1)).root(mailing)
  }

  /** @returns whether it was done; else the process is stopping */
  async #resolve(of: Broadcast): Promise<boolean> {
    const count = await storeAudience(this.#deps, of, this.#at(of), this.#turn.stopping)
    if (count === undefined) return false
    const { ids } = this.#deps
    const mint = mintFrom(ids)
    const mailing_ids = await withIds(ids, () =>
      Array.from({ length: Math.ceil(count / MOST_RECIPIENTS) }, () => mint(mailing)),
    )
    await this.#carryOut(of, ask(broadcasts, this.#id, 'resolve', { target_count: count, mailing_ids }))
    return true
  }

  async #begin(of: Broadcast, piece: number): Promise<void> {
    const { mailing_ids, content, sender, reply_to, topic_ids } = of
    const id = mailing_ids[piece]
    if (id === undefined || !content || !sender || (await this.#mailing(id))) return
    const wanted = beginMailing({
      ...{ class: 'marketing', kind: BROADCAST, cause: causeOfPiece(this.#id, piece), sender, content },
      ...(reply_to && { replyTo: reply_to }),
      topicIds: topic_ids,
      contactIds: await readPiece(this.#deps, this.#id, piece),
    })
    await this.#carryOut(of, { ...wanted, id })
    // Most of them wait for others to be handed over first.
    this.#deps.engine.release(mailings, id)
  }

  /** Asks each mailing that has begun for something. @param askFor is given why it is held */
  async #each(of: Broadcast, askFor: (id: number, reason: string | null) => Ask | undefined): Promise<Outcome> {
    for (const id of of.mailing_ids) {
      if (this.#turn.stopping()) return STOPPED
      const one = await this.#mailing(id)
      const asked = one && askFor(id, one.status === 'held' ? one.status_reason : null)
      if (asked) await this.#carryOut(of, asked)
    }
    return DONE
  }

  #at({ workspace_id }: Broadcast): string {
    return new Date(this.#deps.now(workspace_id)).toISOString()
  }

  async #carryOut(of: Broadcast, asked: Ask): Promise<void> {
    const { team_id: teamId, workspace_id: workspaceId = 0 } = of
    const cause = `broadcast:${this.#id}`
    const occasion = { actor: ACTOR, at: this.#at(of), cause, teamId, workspaceId }
    const result = await desk({ engine: this.#deps.engine })(occasion, asked)
    if (result instanceof Refusal) throw result
  }
}

const isSending = ({ status, content }: Broadcast): boolean =>
  content !== null && (status === 'sending' || status === 'unhealthy')
