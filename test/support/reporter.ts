import mocha from 'mocha'

/** Mocha's own output, closed by one plain line `N passed, N failed` so that the count can be read by anyone. */
export default class Reporter extends mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue()
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {}
    mocha.reporters.Base.consoleLog(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ''}`)
  }
}
