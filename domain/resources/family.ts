import type { Policy } from '../kernel/react/policy.ts'
import type { HasEventType, RecordedEvent } from '../kernel/values/event.ts'
import type { Job } from './jobs/job.ts'
import type { Process } from './process/index.ts'
import type { Resource } from './resource.ts'

/** Files that nothing refers to any more after an event. */
export interface OrphanedBlobs {
  readonly on: HasEventType
  /** Whole blobs, or single parts of them. */
  blobs(event: RecordedEvent): readonly { readonly name: string; readonly part?: number }[]
}

/** What a family of resources brings: others reach into it by its `public.ts` and its models alone. */
export interface Family {
  readonly resources: readonly Resource[]
  /** How it reacts to what has happened, here or elsewhere. */
  readonly policies?: readonly Policy[]
  /** What is done to many of its records in the background. */
  readonly jobs?: readonly Job[]
  /** What of it spans several streams and the outside. */
  readonly processes?: readonly Process[]
  /** What of its files goes, and when. */
  readonly orphanedBlobs?: readonly OrphanedBlobs[]
}
