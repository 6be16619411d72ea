import { contact } from '../../domain/contacts/contact/model.ts'
import { isContactKept } from '../../domain/contacts/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { keyedQueues } from '../../domain/kernel/engine/keyed-queues.ts'
import { claimsFor } from '../../domain/kernel/model/claim.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isBroughtIn } from '../../domain/resources/brought-in.ts'
import { type EventType, eventTypesOf } from '../../domain/webhooks/catalog.ts'
import { type PublicEvent, publicEventsOf, typesByCause } from '../../domain/webhooks/public-events.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { activeKey, originOf, runs } from '../../domain/workflows/run/rules.ts'
import { isAwaited, type Occurrence } from '../../domain/workflows/workflow/matching.ts'
import { isTriggerKey } from '../../domain/workflows/workflow/trigger-keys.ts'
import { DONE, inStreams, type Outcome, type Reaction, type TaskTurn } from '../reactor/reaction.ts'
import type { Admission } from './admissions.ts'
import { carryOut, runBehind } from './command.ts'
import { formerRuns, runAround } from './former-runs.ts'
import { cutChain, isAtEnd, isTooBroad } from './loops.ts'
import { waitUntilRecorded } from './recorded.ts'
import type { RunsDeps } from './runs-deps.ts'
import { Triggers } from './triggers.ts'

/** Public events of one workspace that are looked at together, and of all. */
const GROUP_LIMIT = 64
const LIMIT_OF_ALL = 256
const TRIES = 10

type Run = RecordOf<typeof run>

/** Something that happened to a contact. */
interface Entry extends Occurrence {
  readonly contactId: number
  readonly cause: RecordedEvent
  /** When it happened, which may be before it was recorded. */
  readonly happenedAt: string
}

/** Returns whether nobody knew at an event who the contact was. That is looked up only where it may have become known since, and matters. */
const wasAnonymous = async (
  { history, resources }: RunsDeps,
  document: Document,
  { position }: RecordedEvent,
  matters: boolean,
): Promise<boolean> => {
  const { identified } = recordOf(contact)(document)
  const resource = resources.get(contact.name)
  if (!identified || !matters || !resource) return !identified
  const before = await history.before(resource, document, position)
  return before !== undefined && !recordOf(contact)(before).identified
}

/** Returns whose occurrence a public event is; `undefined` where there is no contact who could enter, or it was brought in from the past. */
const entryOf = async (
  deps: RunsDeps,
  { type: { key, publication }, cause, subject }: PublicEvent,
  open: readonly Admission[],
): Promise<Entry | undefined> => {
  const { live, seen } = deps
  const { at } = cause.metadata
  await seen(cause)
  const concerned = await publication.concerns?.(cause, beside(live, cause.metadata), subject.id)
  if (concerned?.contact_id === undefined || concerned.contact_id === null) return undefined
  const { contact_id: contactId, conditions, happened_at } = concerned
  if (happened_at && isBroughtIn(happened_at, at)) return undefined
  const document = await live.get(contact.name, contactId)
  if (!document || !isContactKept(document)) return undefined
  const matters = open.some(({ triggers }) =>
    triggers.some((one) => one.event_type_key === key && !one.allow_anonymous_contacts),
  )
  const isAnonymous = await wasAnonymous(deps, document, cause, matters)
  return {
    key,
    isAnonymous,
    conditions,
    contactId,
    cause,
    happenedAt: happened_at && happened_at < at ? happened_at : at,
  }
}

const isAwaitedBy = ({ enabledAt, triggers }: Admission, entry: Entry): boolean =>
  entry.happenedAt >= enabledAt && triggers.some((one) => one.created_at <= entry.happenedAt && isAwaited(one, entry))

/** Notes with the run in which a contact was already that an event would have started it again. */
const noteSkipped = async (
  deps: RunsDeps,
  { key, contactId, cause }: Entry,
  { id }: Admission,
  around: number,
): Promise<void> => {
  const skipped = ask(runs, around, 'skipEntry', { event_type_key: key, event_id: cause.position })
  await carryOut(deps, cause, skipped, { key: `skip:${cause.id}:${id}:${contactId}` })
}

/** Returns the run that holds the place of a contact in a workflow at this moment. */
const holderOf = async ({ engine, log }: RunsDeps, { id, workspaceId }: Admission, contactId: number) => {
  const [request] = claimsFor(run, { active_key: activeKey(id, contactId) }, workspaceId)
  const claim = request && (await log.claimed(engine.claimKey(request)))
  return claim && parseStream(claim.stream).id
}

/** Starts a run of a contact, once for each event. One event may be about many contacts. */
const enter = async (deps: RunsDeps, entry: Entry, admission: Admission, behind: Run | undefined): Promise<void> => {
  const { key, contactId, cause } = entry
  const { id: workflow_id, enabling } = admission
  const former = await formerRuns(deps, workflow_id, contactId)
  const from_run_id = behind?.id ?? null
  if (former.some((one) => one.event_id === cause.position && one.from_run_id === from_run_id)) return
  const around = await runAround(deps, former, cause.position)
  if (around) return noteSkipped(deps, entry, admission, around.id)
  if (behind && (isAtEnd(behind) || isTooBroad(behind, former))) return cutChain(deps, cause, behind, workflow_id)
  const wanted = {
    workflow_id,
    contact_id: contactId,
    cause: {
      event_id: cause.position,
      event_type_key: key,
      chain: behind?.chain ?? [],
      from_run_id,
      origin: behind ? originOf(behind) : null,
      enabling,
    },
  }
  const result = await carryOut(deps, cause, ask(runs, 'new', 'create', wanted), {
    key: `cause:workflow:${cause.id}:${workflow_id}:${contactId}`,
  })
  if (!(result instanceof Refusal)) return
  if (result.details.some(({ code }) => code === 'taken')) {
    const holder = await holderOf(deps, admission, contactId)
    return holder === undefined ? undefined : noteSkipped(deps, entry, admission, holder)
  }
  // A workflow that was disabled meanwhile, or a contact who was deleted, is no failure.
  if (result.kind !== 'invalid') throw result
}

interface EnteringDeps extends RunsDeps {
  readonly triggers: Triggers
  /** Entries of one contact into one workflow are decided one after the other. */
  readonly inTurn: ReturnType<typeof keyedQueues>
}

/** Lets contacts into the workflows that awaited a public event. @returns what becomes of the task where that cannot be decided yet */
const letIn = async (deps: EnteringDeps, happened: PublicEvent, turn: TaskTurn): Promise<Outcome | undefined> => {
  const { cause, type } = happened
  const all = await deps.triggers.at(cause.metadata.workspace_id ?? 0, cause.position)
  const open = all.filter((one) => one.triggers.some(({ event_type_key }) => event_type_key === type.key))
  if (open.length === 0) return undefined
  const entry = await entryOf(deps, happened, open)
  const awaiting = open.filter((admission) => entry && isAwaitedBy(admission, entry))
  if (!entry || awaiting.length === 0) return undefined
  const behindId = runBehind(cause)
  const behind = behindId === undefined ? undefined : (await deps.engine.records(runs, behindId, -1)).root(run)
  const waits = behind && (await waitUntilRecorded(deps, turn, behind, cause.position))
  if (waits) return waits
  for (const admission of awaiting)
    await deps.inTurn(`${admission.id}:${entry.contactId}`, () => enter(deps, entry, admission, behind))
  return undefined
}

/** Returns the types of public events that can start workflows. */
const startingTypes = (deps: RunsDeps): readonly EventType[] =>
  eventTypesOf([...deps.resources.values()]).filter(({ key, publication }) => publication.concerns && isTriggerKey(key))

/**
 * Returns the reaction that lets contacts into workflows. An event starts one run of each workflow that awaited it, for each contact that it is about: the
 * claim on all three is taken with the first event of the run. Whom it lets in is decided by what the log has up to the event and by what came of it, so that
 * looking at it again decides the same.
 */
export const enteringReaction = (deps: RunsDeps): Reaction => {
  const types = startingTypes(deps)
  const publicEvents = publicEventsOf(types)
  const byCause = new Map([...typesByCause(types)].map(([cause, found]) => [cause, found.map(({ key }) => key)]))
  const triggers = new Triggers(deps)
  const inTurn = keyedQueues()
  return inStreams({
    name: 'entries',
    on: 'all',
    concerns: ({ type, position, metadata }) =>
      triggers.mayAwait(metadata.workspace_id ?? 0, byCause.get(type) ?? [], position),
    watch(event) {
      triggers.watch(event)
      deps.begun.watch(event)
    },
    group: ({ metadata }) => `entries:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react({ position }, turn) {
      // Each event is looked at by itself: one that a step appends in the same millisecond as another joins its write, when that may have been looked at already.
      for (const one of publicEvents(await turn.write())) {
        if (one.cause.position !== position) continue
        const waits = await letIn({ ...deps, triggers, inTurn }, one, turn)
        if (waits) return waits
      }
      return DONE
    },
  })
}
