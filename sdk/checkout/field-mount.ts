import type { Core } from '../checkout-port.ts'
import { FIELD_STATES, type FieldState, PATIENCE } from './field-states.ts'
import type { GatewayField } from './gateways/gateway.ts'

export interface FieldMountDeps {
  readonly core: Pick<Core, 'host' | 'warn'>
  /** Loads the gateway's field; the same one for as long as the page has its token. */
  fieldOf(): Promise<GatewayField>
  /** Place of the field. */
  readonly place: HTMLElement
  /** Shows and publishes a state. */
  show(state: FieldState): void
}

/**
 * Brings the field of a gateway into the page, and says at each moment how it stands. What comes late still comes: a state that says so ends
 * when it does.
 */
export const createFieldMount = ({ core, fieldOf, place, show }: FieldMountDeps) => {
  const { window } = core.host
  let state: FieldState = 'absent'
  /** The mount that counts: what others tell is past. */
  let turn: symbol | undefined
  let field: GatewayField | undefined
  let timer: number | undefined
  const waiting = new Set<() => void>()

  const enter = (next: FieldState) => {
    window.clearTimeout(timer)
    state = next
    const { overdue, onPay } = FIELD_STATES[next]
    if (overdue) timer = window.setTimeout(() => enter(overdue), PATIENCE)
    show(next)
    if (onPay === 'wait') return
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const end = () => {
    turn = undefined
    field?.unmount()
    field = undefined
  }
  const begin = () => {
    end()
    const mine = Symbol('mount')
    turn = mine
    const isNow = () => turn === mine
    const go = (next: FieldState) => void (isNow() && enter(next))
    const fail = (reason: string | undefined) => {
      if (isNow()) core.warn(`The payment form failed: ${reason ?? 'no reason was given'}`)
      go('failed')
    }
    const appear = (loaded: GatewayField) => {
      if (!isNow()) return
      field = loaded
      go('unpriced')
      try {
        loaded.mount(place, { mounted: () => go('mounted'), ready: () => go('ready'), failed: fail })
      } catch (error) {
        fail(String(error))
      }
    }
    enter('loading')
    fieldOf()
      .then((loaded) => {
        void loaded.script.arrives.then(() => appear(loaded))
        return loaded.script.load()
      })
      .catch(() => go('blocked'))
  }
  return {
    state: () => state,
    /** The field, while it can be used. */
    ready: () => (state === 'ready' ? field : undefined),
    begin,
    end() {
      end()
      enter('absent')
    },
    /** Resolves when it is known whether a buyer who pays now can: the field is tried again if that may help. */
    async decided(): Promise<void> {
      if (FIELD_STATES[state].onPay === 'again') begin()
      if (FIELD_STATES[state].onPay === 'wait') await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}

export type FieldMount = ReturnType<typeof createFieldMount>
