import type { Core, ElementName } from '../../checkout-port.ts'

type Button = HTMLButtonElement | HTMLInputElement

const isButton = (element: Element): element is Button => element.tagName === 'BUTTON' || element.tagName === 'INPUT'

/** Disables buttons while something is charged, and enables those that it had disabled itself. */
export const createButtons = (core: Pick<Core, 'elements' | 'host'>, names: readonly ElementName[]) => {
  const disabled = new Set<Button>()
  let focused: Button | undefined
  const all = () => names.flatMap((name) => core.elements(name)).filter(isButton)
  return {
    disable() {
      const { activeElement } = core.host.document
      for (const button of all()) {
        if (button.disabled) continue
        if (button === activeElement) focused = button
        button.disabled = true
        disabled.add(button)
      }
    },
    /** Gives the focus back, which a browser takes from what is disabled, unless the buyer has gone elsewhere. */
    enable() {
      for (const button of disabled) button.disabled = false
      disabled.clear()
      const { activeElement, body } = core.host.document
      if (focused?.isConnected && (activeElement === body || activeElement === null)) focused.focus()
      focused = undefined
    },
  }
}

export type Buttons = ReturnType<typeof createButtons>
