/** Faults are tried a few times in every run of the tests, and many times by `npm run test:faults`. */
const isLong = process.env.FAULTS === 'long'

/** How often something is tried, or how long it may take, in the form that runs. */
export const inForm = <T>(short: T, long: T): T => (isLong ? long : short)

/** Milliseconds that a suite may take. */
export const patience = inForm(120_000, 1_800_000)

/** One line of what was tried and came of it, for docs/reliability.md. */
export const figures = (name: string, said: string): void => {
  console.log(`      ${name}: ${said}`)
}
