/** What a suite does between asking for something and its being due takes far longer on servers. */
const SOON_MS = process.env.MONGODB_URL ? 5000 : 400

/** A time soon, but behind whatever is done before the next request but one. */
export const shortly = (): string => new Date(Date.now() + SOON_MS).toISOString()
