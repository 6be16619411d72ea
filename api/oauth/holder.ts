/** Person who allowed an application something, in one workspace. Everything that is issued to the application names its holder. */
export interface Holder {
  readonly userId: number
  readonly workspaceId: number
  /** Number of the person's credentials at consent. A reset raises it, which ends what was allowed before. */
  readonly generation: number
}

/** Returns the text that stands for a holder in codes, tokens and grants. */
export const holderText = ({ userId, workspaceId, generation }: Holder): string =>
  `${userId}:${workspaceId}:${generation}`

/** Returns the holder that a text stands for; `undefined` for any other text. */
export const holderIn = (text: unknown): Holder | undefined => {
  const [, userId, workspaceId, generation] = /^(\d{1,16}):(\d{1,16}):(\d{1,16})$/.exec(String(text)) ?? []
  if (userId === undefined) return undefined
  return { userId: Number(userId), workspaceId: Number(workspaceId), generation: Number(generation) }
}
