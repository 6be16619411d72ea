import type { Action } from '../checkout-port.ts'
import { attempt } from '../core/attempt.ts'
import type { CoreHost } from '../core/host.ts'
import type { Forms, FormsChunk, Page, Shop } from '../core/parts.ts'
import { type Natives, natives } from './natives.ts'
import { fill, type Typed } from './prefill.ts'
import { allMarked, isAllowed, markedIn, nameOf } from './registry.ts'
import { submitter } from './submit.ts'
import { warner } from './warnings.ts'

/** Makes forms post to the SDK's host for as long as their page lasts. */
const aimer = (host: CoreHost, { aim }: Natives) => {
  const known = new WeakSet<Element>()
  return (form: HTMLFormElement, { signal }: Page): void => {
    const action = `${host.sdk}/submit`
    const [ownAction, ownMethod] = [form.getAttribute('action'), form.getAttribute('method')]
    if (ownAction === action) return
    aim(form, action, 'post')
    signal.addEventListener('abort', () => aim(form, ownAction, ownMethod))
    if (known.has(form)) return
    known.add(form)
    host.console.log('Found form', form)
    // Else Firefox restores over a reload that a button was disabled.
    for (const button of form.querySelectorAll('button,[type=submit]')) button.setAttribute('autocomplete', 'off')
  }
}

/** What was typed on earlier pages, asked for once a page. */
const memory = (changed: (page: Page) => void) => {
  const typed = new WeakMap<Page, Typed>()
  const ask = async (page: Page) => {
    if (!(await page.isKnown)) return
    const { fields = {} } = await page.call<{ fields: Typed }>('/prefill', {})
    typed.set(page, fields)
    changed(page)
  }
  return (page: Page): Typed => {
    const known = typed.get(page)
    if (known) return known
    typed.set(page, {})
    ask(page)
    return {}
  }
}

export const openForms = (host: CoreHost, openShop: (page: Page) => Promise<Shop>, natives: Natives): Forms => {
  const { document, window } = host
  const { submit, release } = submitter(host, natives)
  const aim = aimer(host, natives)
  const warn = warner(host)
  const touched = new WeakSet<EventTarget>()
  window.addEventListener('input', ({ target }) => void (target && touched.add(target)), true)

  // A `pay` need not be a submit button. Asking for a submit also makes the browser check what was entered.
  window.addEventListener('click', ({ target }) =>
    attempt(() => {
      const pay = (target as Element).closest('button[data-cf-element=pay][type=button]')
      pay?.closest('form')?.requestSubmit()
    }),
  )

  const bind: Forms['bind'] = (page) =>
    void attempt(() => {
      const { init, signal } = page
      if (!init?.ok || signal.aborted) return
      const found = allMarked(document).filter(isAllowed)
      for (const form of new Set(found.flatMap((element) => element.closest('form') ?? []))) aim(form, page)
      fill(document, typedOn(page), touched, natives.write)
      warn(init)
    })

  const typedOn = memory(bind)
  const sell = async (page: Page, action: Action) => (await openShop(page)).act(action)

  const act: Forms['act'] = (page, element, pressed) =>
    void attempt(() => {
      const name = nameOf(element)
      if (name === 'oto-accept' || name === 'oto-decline') return sell(page, { name, element, form: null })
      const form = element as HTMLFormElement
      const elements = markedIn(form)
      const named = (name: string) => [pressed, ...elements].find((one) => one && nameOf(one) === name)
      const pay = named('pay') ?? (named('payment-method') && form)
      if (!elements[0]) return host.submit(form)
      return pay ? sell(page, { name: 'pay', element: pay, form }) : submit(page, elements)
    })
  return { bind, act, release }
}

export const open: FormsChunk['open'] = (host, openShop) => openForms(host, openShop, natives)
