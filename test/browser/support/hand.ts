import { eventually } from '../../support/eventually.ts'
import type { Started } from './engines.ts'
import { pause } from './visitor.ts'

/** What finds elements as visitors do, by the texts that they see. */
const FIND = `
const seen = (element) => element.getClientRects().length > 0
const labelled = (text) => [...document.querySelectorAll('input,select,textarea')].find((control) =>
  seen(control) && [...control.labels].some((label) => label.textContent.trim().startsWith(text)))
const button = (text) => [...document.querySelectorAll('button')].find((one) =>
  seen(one) && one.textContent.trim().startsWith(text))
`

/** A visitor's hand and eyes, in whatever browser; each waits for what it needs. */
export const handIn = ({ go, run, act }: Pick<Started, 'go' | 'run' | 'act'>) => {
  const read = <T>(expression: string): Promise<T> => run(`(() => { ${FIND}; return ${expression} })()`)
  const wait = (condition: string) =>
    eventually(async () => {
      if (!(await read(`!!(${condition})`))) throw new Error(`not yet at ${await run('location.href')}: ${condition}`)
    })
  const press = async (element: string) => {
    await wait(`${element} && !${element}.disabled`)
    const look = () =>
      read<{ x: number; y: number }>(`(({ x, y, width, height }) =>
        ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }))(${element}.getBoundingClientRect())`)
    await read(`${element}.scrollIntoView({ block: 'center', behavior: 'instant' })`)
    let at = await look()
    // What moves would be missed, and something else pressed in its place.
    for (let before = at; ; before = at) {
      await pause(100)
      at = await look()
      if (at.x === before.x && at.y === before.y) break
    }
    const actions = [
      { type: 'pointerMove', ...at },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await act([{ type: 'pointer', id: 'mouse', actions }])
  }
  const control = (label: string) => `labelled(${JSON.stringify(label)})`
  return {
    go,
    run,
    wait,
    read,
    press: (text: string) => press(`button(${JSON.stringify(text)})`),
    pressAt: (selector: string) => press(`document.querySelector(${JSON.stringify(selector)})`),
    check: (label: string) => press(control(label)),
    async type(label: string, text: string) {
      await wait(control(label))
      await read(`(${control(label)}.focus(), ${control(label)}.select())`)
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await act([{ type: 'key', id: 'keys', actions }])
    },
    /** Chooses from a list, whose own window no driver reaches in the same way. */
    async choose(label: string, value: string) {
      await wait(`${control(label)}?.querySelector('option[value=${value}]')`)
      await read(
        `(${control(label)}.value = '${value}', ['input', 'change'].forEach((type) => ${control(label)}.dispatchEvent(new Event(type, { bubbles: true }))))`,
      )
    },
    value: (label: string) => read<string>(`${control(label)}.value`),
    /** Waits until an element says something like this. */
    says: (selector: string, pattern: RegExp) =>
      wait(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => ${pattern}.test(one.textContent))`,
      ),
    at: (pattern: RegExp) => wait(`${pattern}.test(location.href) && document.readyState === 'complete'`),
    cookies: () => run<string>('document.cookie'),
  }
}
