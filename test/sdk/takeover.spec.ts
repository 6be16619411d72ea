import { expect } from 'chai'
import { takeUnlessPrevented } from '../../sdk/core/takeover.ts'
import { fakeHost, settled } from './support/fake-host.ts'

type Listener = (event: Event) => void

/** Submits a form of a page whose listeners are these, and returns whether the SDK took it and whether the browser went on. */
const submit = async (before: readonly Listener[], after: readonly Listener[] = []) => {
  const form = new EventTarget()
  let taken = 0
  for (const listener of before) form.addEventListener('submit', listener)
  const event = new Event('submit', { cancelable: true })
  Object.defineProperty(event, 'target', { value: form, configurable: true })
  takeUnlessPrevented(fakeHost(), event, () => taken++)
  for (const listener of after) form.addEventListener('submit', listener)
  const isNative = form.dispatchEvent(event)
  await settled()
  await settled()
  return { taken, isNative }
}

describe('submit of a form in a page', () => {
  const prevent: Listener = (event) => event.preventDefault()
  const stop: Listener = (event) => event.stopImmediatePropagation()

  it('is taken from the browser once', async () => {
    expect(await submit([])).to.deep.equal({ taken: 1, isNative: false })
  })

  it('13a-6 is not taken when the page prevented it, before the SDK or after it', async () => {
    expect(await submit([prevent])).to.deep.equal({ taken: 0, isNative: false })
    expect(await submit([], [prevent])).to.deep.equal({ taken: 0, isNative: false })
  })

  it('is taken in the task of the gesture, after listeners further out', () => {
    const host = fakeHost()
    const said: string[] = []
    const form = new EventTarget()
    const event = new Event('submit', { cancelable: true })
    Object.defineProperty(event, 'target', { value: form, configurable: true })
    takeUnlessPrevented(host, event, () => said.push('taken'))
    form.dispatchEvent(event)
    said.push('further out')
    // A browser lets the event come to the window at last.
    ;(host.window as unknown as EventTarget).dispatchEvent(new Event('submit'))
    expect(said).to.deep.equal(['further out', 'taken'])
  })

  it('13a-1 is taken also when a listener keeps it from all others', async () => {
    expect(await submit([stop])).to.deep.equal({ taken: 1, isNative: false })
    expect(await submit([(event) => event.stopPropagation()])).to.deep.equal({ taken: 1, isNative: false })
    expect(await submit([prevent, stop])).to.deep.equal({ taken: 0, isNative: false })
    expect(
      await submit([
        (event) => {
          stop(event)
          prevent(event)
        },
      ]),
    ).to.deep.equal({ taken: 0, isNative: false })
  })
})
