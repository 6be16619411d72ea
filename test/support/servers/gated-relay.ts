import { setTimeout as wait } from 'node:timers/promises'
import { BOUNDS } from '../../../infra/mail/connections.ts'
import { eventually } from '../eventually.ts'
import { startSink } from './smtp-sink.ts'

/** A gate that is open until it is shut. */
const gateOf = () => {
  let passed = Promise.resolve()
  let go = () => {}
  return {
    pass: () => passed,
    shut() {
      passed = new Promise((resolve) => {
        go = resolve
      })
    },
    open: () => go(),
  }
}

/** Starts a relay that notes which mails begin, and has gates before the first word of a connection, and before the answer to a mail. */
export const startGatedRelay = async ({ takesMs = 0 }: { readonly takesMs?: number } = {}) => {
  const begun: string[] = []
  const connections = gateOf()
  const answers = gateOf()
  let senders = 0
  let held = 0
  let connected = 0
  const sink = await startSink({
    onConnect(_, go) {
      connected++
      void connections.pass().then(() => go())
    },
    onMailFrom(_, _session, go) {
      senders++
      go()
    },
    recipient: (address) => {
      begun.push(address)
      return undefined
    },
    message: async () => {
      await wait(takesMs)
      held++
      await answers.pass()
      held--
      return undefined
    },
  })
  return {
    url: sink.url,
    /** Addresses of mails that have begun, in their order. */
    begun,
    /** How many connections were begun. */
    connected: () => connected,
    /** How many times `MAIL FROM` came. */
    senders: () => senders,
    connections,
    answers,
    /** Shuts the gate before the answers, and waits until no mail can begin: all connections wait there, or the last mails. @param left mails that have no answer yet */
    async hold(left: () => Promise<number>): Promise<void> {
      answers.shut()
      await eventually(async () => {
        if (held < Math.min(BOUNDS.connections, await left())) throw new Error(`${held} wait for their answers`)
      })
    },
    async stop() {
      connections.open()
      answers.open()
      await sink.stop()
    },
  }
}
