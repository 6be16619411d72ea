/** Options of a text that somebody reads. */
export const MESSAGE = { max: 10_000, nullable: true } as const
