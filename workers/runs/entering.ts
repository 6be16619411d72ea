import { contact } from '../../domain/contacts/contact/model.ts'
import { isContactKept } from '../../domain/contacts/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { claimsFor } from '../../domain/kernel/model/claim.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { type EventType, eventTypesOf } from '../../domain/webhooks/catalog.ts'
import { type PublicEvent, publicEventsOf, typesByCause } from '../../domain/webhooks/public-events.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { activeKey, runs } from '../../domain/workflows/run/rules.ts'
import { isAwaited, type Occurrence } from '../../domain/workflows/workflow/matching.ts'
import { isTriggerKey } from '../../domain/workflows/workflow/trigger-keys.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { carryOut, runBehind } from './command.ts'
import { cutChain, isAtEnd } from './loops.ts'
import type { RunsDeps } from './runs-deps.ts'
import { isSinceEnabled, type LiveWorkflow, Triggers } from './triggers.ts'

/** Public events of one workspace that are looked at together, and of all. */
const GROUP_LIMIT = 64
const LIMIT_OF_ALL = 256
const TRIES = 10

/** Something that happened to a contact. */
interface Entry extends Occurrence {
  readonly contactId: number
  readonly cause: RecordedEvent
}

/** Returns whose occurrence a public event is; `undefined` where there is no contact who could enter. */
const entryOf = async ({ live, seen }: RunsDeps, { type, cause, subject }: PublicEvent): Promise<Entry | undefined> => {
  await seen(cause)
  const concerned = await type.publication.concerns?.(cause, beside(live, cause.metadata), subject.id)
  if (concerned?.contact_id === undefined || concerned.contact_id === null) return undefined
  const document = await live.get(contact.name, concerned.contact_id)
  if (!document || !isContactKept(document)) return undefined
  const { id, identified } = recordOf(contact)(document)
  return { key: type.key, isAnonymous: !identified, conditions: concerned.conditions, contactId: id, cause }
}

/** Notes with the run in which a contact is already that an event would have started it again. */
const noteSkipped = async (deps: RunsDeps, { key, contactId, cause }: Entry, workflow: LiveWorkflow): Promise<void> => {
  const { engine, log } = deps
  const [request] = claimsFor(run, { active_key: activeKey(workflow.id, contactId) }, workflow.workspaceId)
  const claim = request && (await log.claimed(engine.claimKey(request)))
  if (!claim) return
  const skipped = ask(runs, parseStream(claim.stream).id, 'skipEntry', {
    event_type_key: key,
    event_id: cause.position,
  })
  await carryOut(deps, cause, skipped, { key: `skip:${cause.id}:${workflow.id}:${contactId}` })
}

/** Starts a run of a contact, once for each event. One event may be about many contacts. */
const enter = async (
  deps: RunsDeps,
  entry: Entry,
  workflow: LiveWorkflow,
  behind: RecordOf<typeof run> | undefined,
): Promise<void> => {
  const { key, contactId, cause } = entry
  if (behind && isAtEnd(behind)) return cutChain(deps, cause, behind, workflow.id)
  const wanted = {
    workflow_id: workflow.id,
    contact_id: contactId,
    cause: {
      event_id: cause.position,
      event_type_key: key,
      chain: behind?.chain ?? [],
      from_run_id: behind?.id ?? null,
    },
  }
  const result = await carryOut(deps, cause, ask(runs, 'new', 'create', wanted), {
    key: `cause:workflow:${cause.id}:${workflow.id}:${contactId}`,
  })
  if (!(result instanceof Refusal)) return
  if (result.details.some(({ code }) => code === 'taken')) return noteSkipped(deps, entry, workflow)
  // A workflow that was disabled meanwhile, or a contact who was deleted, is no failure.
  if (result.kind !== 'invalid') throw result
}

const awaiting = (workflow: LiveWorkflow, entry: Entry): boolean =>
  isSinceEnabled(workflow, entry.cause) &&
  workflow.triggers.some((one) => one.created_at <= entry.cause.metadata.at && isAwaited(one, entry))

/** Returns the types of public events that can start workflows. */
const startingTypes = (deps: RunsDeps): readonly EventType[] =>
  eventTypesOf([...deps.resources.values()]).filter(({ key, publication }) => publication.concerns && isTriggerKey(key))

/**
 * Returns the reaction that lets contacts into workflows. An event starts one run of each workflow that awaits it, for each contact that it is about: the
 * claim on all three is taken with the first event of the run.
 */
export const enteringReaction = (deps: RunsDeps): Reaction => {
  const types = startingTypes(deps)
  const publicEvents = publicEventsOf(types)
  const byCause = new Map([...typesByCause(types)].map(([cause, found]) => [cause, found.map(({ key }) => key)]))
  const triggers = new Triggers(deps)
  return inStreams({
    name: 'entries',
    on: 'all',
    concerns: ({ type, metadata }) => triggers.mayAwait(metadata.workspace_id ?? 0, byCause.get(type) ?? []),
    watch: (event) => triggers.watch(event),
    oncePerWrite: true,
    group: ({ metadata }) => `entries:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    async react(event, turn) {
      await triggers.current()
      const live = [...triggers.in(event.metadata.workspace_id ?? 0)]
      if (live.length === 0) return DONE
      const behindId = runBehind(event)
      const behind = behindId === undefined ? undefined : (await deps.engine.records(runs, behindId, -1)).root(run)
      for (const one of publicEvents(await turn.write())) {
        const entry = await entryOf(deps, one)
        if (!entry) continue
        for (const workflow of live) if (awaiting(workflow, entry)) await enter(deps, entry, workflow, behind)
      }
      return DONE
    },
  })
}
