const PATIENCE_MS = 30_000

/** Waits until a running service has projected its whole log. */
export const caughtUp = async (url: string): Promise<void> => {
  for (const started = Date.now(); Date.now() - started < PATIENCE_MS; ) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const [projected, logged] = ['projection', 'log'].map(
      (name) => new RegExp(`^millrace_${name}_position (\\d+)$`, 'm').exec(metrics)?.[1],
    )
    if (logged !== undefined && projected === logged) return
    await new Promise((go) => setTimeout(go, 20))
  }
  throw new Error('the read models do not follow the log')
}
