import type { CoreHost } from './host.ts'

/**
 * Takes a submit from the browser if the page lets it pass, and then calls back. It is taken after the page's own listeners had their say,
 * each of which may prevent it; but before one that keeps the event from the rest, since the browser would then go on.
 */
export const takeUnlessPrevented = (host: CoreHost, event: Event, taken: () => void): void => {
  const { target, preventDefault } = event
  let isPrevented: boolean | undefined
  const take = () => {
    if (isPrevented !== undefined) return
    isPrevented = event.defaultPrevented
    preventDefault.call(event)
    event.preventDefault = () => {
      isPrevented = true
    }
    const end = () => {
      isPrevented || taken()
      isPrevented = true
    }
    // The last listener of all: those further out, such as React's at its root, have run, and it is still the task of the gesture.
    host.window.addEventListener('submit', end, { once: true })
    // It is never reached where the event is stopped.
    host.window.setTimeout(end)
  }
  for (const name of ['stopPropagation', 'stopImmediatePropagation'] as const) {
    const stop = event[name]
    event[name] = () => {
      take()
      stop.call(event)
    }
  }
  // Behind those that the form has already.
  target?.addEventListener('submit', take, { once: true })
}
