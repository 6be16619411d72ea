/** Work on an image that is done in a process of its own. */
export type ImageTask =
  /** Recognises an image, checks its structure, and removes metadata and whatever could do harm. */
  | { readonly kind: 'clean'; readonly content: Uint8Array }
  /** Checks that a cleaned image can be decoded to the last line. */
  | { readonly kind: 'decode'; readonly content: Uint8Array; readonly type: string }
  | ResizeTask

export interface ResizeTask {
  readonly kind: 'resize'
  readonly content: Uint8Array
  readonly type: string
  readonly width: number
  readonly height: number
  readonly format: ImageFormat
}

export const DRAWING = 'image/svg+xml'
export const ICON = 'image/x-icon'

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** Outcome of a task: what was made, or why nothing was, worded as the end of a sentence. */
export type ImageResult = ImageMade | { readonly problem: string }

export interface ImageMade {
  readonly content: Uint8Array
  readonly type: string
  /** Whether it must be served in its own size, since to draw it could take too much. */
  readonly unscaled: boolean
}

/** Answer of a process that decodes. */
export interface ImageAnswer {
  /** Absent if the memory did not suffice. */
  readonly result?: ImageResult
  /** Resident memory after the task: some of what a large image took stays with the process. */
  readonly bytes: number
}

/**
 * Bounds of a process that decodes: how much memory it may write to, which the system enforces where it can, so that decoders fail and the
 * process goes on; its resident memory, above which it ends itself, which comes first elsewhere; and how long an image may take. An idle process has 70 MB of resident memory, and 140 MB that it may write to.
 */
export const LIMITS = { dataKiB: 440_000, residentBytes: 390_000_000, ms: 15_000 } as const

/** Resident memory beyond which a process is not used again, so that every image has about the same amount to itself. */
export const WORN_BYTES = 130_000_000

/** Signal by which a process ends itself when it has reached the limit of its memory. */
export const OUT_OF_MEMORY = 'SIGUSR2'
