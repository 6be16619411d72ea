import { randomUUID } from 'node:crypto'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { upcasterOf } from '../../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../../domain/kernel/engine/engine.ts'
import { waitUntilReadable } from '../../../domain/kernel/engine/readable.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { idMinter } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { referencePolicies, withReferenceIndexes } from '../../../domain/resources/reference-policies.ts'
import { aggregatesOf } from '../../../domain/resources/resource.ts'
import { createProjection } from '../../../projections/projection.ts'
import { startProjector } from '../../../projections/projector.ts'
import { quiet } from '../../../workers/clock/quiet.ts'
import { performer } from '../../../workers/policies/perform.ts'
import { policyReaction } from '../../../workers/policies/reaction.ts'
import { createSemaphore } from '../../../workers/reactor/semaphore.ts'
import { naiveFind } from '../../infra/read-models/naive.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { OpenVault, ids as publicIds } from '../../support/projection.ts'
import { openSetting } from '../reactor/setting.ts'
import { card, family } from './family.ts'

class FoundReadModels extends MemoryReadModels {
  override find(collection: string, query: Query = { where: {} }): Document[] {
    return naiveFind(super.find(collection), query)
  }
}

/** A record that the rest of a request creates. */
interface Rest {
  readonly aggregate: Decider
  readonly id: number
  readonly wanted: JsonObject
}

const followUpsOf = (rest: readonly Rest[]) => ({
  key: randomUUID(),
  commands: rest.map(({ aggregate, id, wanted }) => ({
    ...{ aggregate: aggregate.name, id },
    command: { type: 'create', id, wanted, at: AT, actor: { label: 'test' } },
  })),
})

const WORKSPACE = 7
const AT = '2026-03-01T09:00:00.000Z'

/** An installation with policies that take references back, whose documents lag behind the log as `pause` says. */
export const openOffice = async (pause: () => Promise<unknown>) => {
  const setting = await openSetting()
  const { log } = setting
  const live = new FoundReadModels()
  const vault = new OpenVault()
  const resources = withReferenceIndexes(family)
  const aggregates = aggregatesOf(resources)
  const upcast = upcasterOf(aggregates)
  const project = createProjection({ resources, vault, upcast, publicIds })
  const later: typeof project = async (events, models) => {
    await pause()
    return project(events, models)
  }
  const onFailure = (error: unknown) => setting.failures.push(error)
  const projector = await startProjector({ log, live, project: later, onFailure })
  const engine = createEngine({ log, vault, read: live, upcast, newEventId: randomUUID })
  const mint = idMinter(() => 0, Date.now)
  const ids = { next: mint, refill: async () => undefined }
  const { reached } = projector
  const isOver = () => false
  let written = -1
  let taken = 0
  const onWritten = (position: number) => {
    if (position >= 0) taken++
    written = Math.max(written, position)
  }
  const perform = performer({ engine, ids, onWritten })
  const reaction = policyReaction({
    policies: referencePolicies(resources, {}),
    aggregates: new Map(aggregates.map((one) => [one.name, one])),
    ...{ engine, ids, readers: { live, vault }, room: createSemaphore(8), perform },
    seen: ({ position }: RecordedEvent) => waitUntilReadable(reached, Math.max(position, written), isOver),
  })
  const reactor = await setting.start([reaction])
  return {
    live,
    mint,
    /**
     * Sends a command without any check of what it refers to, as a request whose check has passed. A refusal changes nothing.
     *
     * @param rest records that the request creates next, but for the end of its process
     */
    async ask(
      aggregate: Decider,
      stream: number,
      command: Pick<RecordCommand, 'type'> & Partial<RecordCommand>,
      rest: readonly Rest[] = [],
    ) {
      const result = await engine.transact({
        ...{ aggregate, id: stream, isNew: command.type === 'create' && command.child === undefined },
        command: { id: stream, wanted: {}, workspaceId: WORKSPACE, at: AT, actor: { label: 'test' }, ...command },
        ...{ workspaceId: WORKSPACE, causationId: randomUUID(), correlationId: 'c' },
        ...(rest.length > 0 && { followUps: followUpsOf(rest) }),
      })
      return result instanceof Refusal ? result : undefined
    },
    /** Waits until everything is projected and all that follows is done. */
    settled: () => quiet({ log, reactor, reached }, WORKSPACE, isOver),
    /** References to records that do not exist, with their holders. */
    dangling: (): readonly string[] =>
      live.find('card').flatMap((one) => danglingIn(one, (collection, id) => live.get(collection, id) !== undefined)),
    refusals: async () => (await setting.reactorStore.refusals(WORKSPACE, 100)).map(({ reason }) => reason),
    /** Number of commands with which policies took references back. */
    takenBack: () => taken,
    async close() {
      await projector.stop()
      await setting.cleanup()
    },
    failures: setting.failures,
  }
}

const danglingIn = (holder: Document, exists: (collection: string, id: number) => boolean): readonly string[] => {
  const { label_id, label_ids, tab_id, pinned_ids } = recordOf(card)(holder)
  const named: readonly (readonly [collection: string, field: string, id: number | null])[] = [
    ['label', 'label_id', label_id],
    ['tab', 'tab_id', tab_id],
    ...label_ids.map((id) => ['label', 'label_ids', id] as const),
    ...pinned_ids.map((id) => ['label', 'pinned_ids', id] as const),
  ]
  return named.flatMap(([collection, field, id]) =>
    id === null || exists(collection, id) ? [] : `${field} ${id} of card ${holder.id}`,
  )
}

export type Office = Awaited<ReturnType<typeof openOffice>>
