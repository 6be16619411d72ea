import mocha from 'mocha'

/** How the line of a test that failed begins. */
export const FAILED = 'failed: '

/** Mocha's own output, closed by the names of what failed and one plain line `N passed, N failed` so that the count can be read by anyone. */
export default class Reporter extends mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue()
    for (const failure of this.failures) mocha.reporters.Base.consoleLog(FAILED + failure.titlePath().join(': '))
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {}
    mocha.reporters.Base.consoleLog(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ''}`)
  }
}
