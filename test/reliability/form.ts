/** Faults are injected a few times in `npm test`, and many times in `npm run test:faults`. */
const isLong = process.env.FAULTS === 'long'

/** Picks a number of repetitions, or a time limit, for the form that runs. */
export const byForm = <T>(short: T, long: T): T => (isLong ? long : short)

/** Milliseconds that a suite may take. */
export const patience = byForm(300_000, 1_800_000)

/** Prints one line of results for docs/reliability.md. */
export const printFigures = (name: string, said: string): void => {
  console.log(`      ${name}: ${said}`)
}
