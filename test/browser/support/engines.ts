/** A browser with one page, driven by WebDriver; the actions are the same in both of its forms. */
export interface Started {
  go(url: string): Promise<unknown>
  /** Value of an expression in the page, awaited. */
  run<T>(expression: string): Promise<T>
  act(actions: readonly object[]): Promise<unknown>
  close(): Promise<void>
}

export interface Engine {
  readonly name: string
  /** Why it cannot be had, if so. */
  readonly whyNot: string | undefined
  /** Starts it with an empty profile that takes no cookies of third parties. @param proxy a port of this machine through which all pages are asked for, whatever their host */
  start(proxy?: number): Promise<Started>
}
