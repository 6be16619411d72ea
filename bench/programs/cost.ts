/** Cost of one part of a request. */
export interface Cost {
  readonly part: string
  readonly micros: number
}

/** Part that is no stage of a request: what authentication costs more by the token of a platform application than by a key. */
export const BY_PLATFORM_TOKEN = 'authentication by a platform token, more than by a key'
