/** Longer on servers, where the requests that must precede the due time take longer. */
const SOON_MS = process.env.MONGODB_URL ? 5000 : 400

/** A time in the near future that leaves room for two requests before it. */
export const shortly = (): string => new Date(Date.now() + SOON_MS).toISOString()
