import type { Policy } from '../kernel/react/policy.ts'
import type { HasEventType, RecordedEvent } from '../kernel/values/event.ts'
import type { Job } from './jobs/job.ts'
import type { Process } from './process/index.ts'
import type { Resource } from './resource.ts'
import type { Tally } from './tally.ts'

/** Files to which nothing refers any more after an event. */
export interface OrphanedBlobs {
  readonly on: HasEventType
  /** Whole blobs, or single parts of them. */
  blobs(event: RecordedEvent): readonly { readonly name: string; readonly part?: number }[]
}

/** A family of resources and what belongs to it. Other families import only its `public.ts` and its models. */
export interface Family {
  readonly resources: readonly Resource[]
  /** Sums over the events of this family and of others. */
  readonly tallies?: readonly Tally[]
  /** Reactions to events of this family and of others. */
  readonly policies?: readonly Policy[]
  /** Background work on many of its records. */
  readonly jobs?: readonly Job[]
  /** Processes across several streams and external services. */
  readonly processes?: readonly Process[]
  /** Files to delete, by the event that orphans them. */
  readonly orphanedBlobs?: readonly OrphanedBlobs[]
}
