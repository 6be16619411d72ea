import type { Policy } from '../kernel/policy.ts'
import type { Job } from './job.ts'
import type { Resource } from './resource.ts'

/** What a family of resources brings: others reach into it by its `public.ts` and its models alone. */
export interface Family {
  readonly resources: readonly Resource[]
  /** How it reacts to what has happened, here or elsewhere. */
  readonly policies?: readonly Policy[]
  /** What is done to many of its records in the background. */
  readonly jobs?: readonly Job[]
}
