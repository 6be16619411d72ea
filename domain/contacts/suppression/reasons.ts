/** Reasons why nothing is mailed to an address, the weaker ones first. Mail that somebody is owed stops at the first two alone. */
export const REASONS = ['invalid', 'bounced', 'manual', 'complained'] as const
export type SuppressionReason = (typeof REASONS)[number]

/** Those that say that the address does not work. The others are the word of a person. */
export const ABOUT_ADDRESS: readonly string[] = ['invalid', 'bounced'] satisfies readonly SuppressionReason[]

/** Returns how strong a reason is. `null` is the weakest. */
const rankOf = (reason: string | null): number => (REASONS as readonly (string | null)[]).indexOf(reason)

/** Whether a reason replaces another. */
export const isStronger = (reason: string | null, other: string | null): boolean => rankOf(reason) > rankOf(other)

/** Returns the reason in a stored value; `null`: there is none. */
export const reasonIn = (value: unknown): SuppressionReason | null => REASONS.find((one) => one === value) ?? null
