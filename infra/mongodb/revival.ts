import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'

/** Time without any heartbeat after which the client is stuck. Longer than the driver's pause between two heartbeats. */
const SILENT_MS = 15_000
/** Longest wait for an answer: at first, and after reconnecting did not help. A stuck client recovers within that time after its server. */
const UNANSWERED_MS = 500
const LONGEST_UNANSWERED_MS = 5000
const CHECKED_EVERY_MS = 250

const ANSWERS = ['serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const

/** Heartbeat of the driver. With `awaited`, the server answers only when there is news. */
interface Heartbeat {
  readonly connectionId: string
  readonly awaited: boolean
}

type Client = Pick<MongoClient, 'close' | 'connect'> & {
  on(event: 'serverHeartbeatStarted' | (typeof ANSWERS)[number], listener: (heartbeat: Heartbeat) => void): unknown
}

interface RevivalDeps {
  /** Whether no writable server is known. */
  readonly isOut: () => boolean
  readonly say: (message: string) => void
  readonly silentMs?: number
  readonly unansweredMs?: number
}

/**
 * Reconnects a client that has stopped monitoring its servers. The driver (7.8) waits forever for the answer of a server whose connection
 * was reset at the moment of a heartbeat. While it waits it sends no more heartbeats, and operations that need a server never finish.
 *
 * @returns a function that ends it
 */
export const reviveWhenStuck = (
  client: Client,
  { isOut, say, silentMs = SILENT_MS, unansweredMs = UNANSWERED_MS }: RevivalDeps,
): (() => void) => {
  let heardAt = performance.now()
  const askedAt = new Map<string, number>()
  let patienceMs = unansweredMs
  let reviving = false
  let isOver = false
  const everyMs = Math.min(CHECKED_EVERY_MS, unansweredMs / 2)
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    heardAt = performance.now()
    if (!awaited) askedAt.set(connectionId, heardAt)
  })
  for (const answer of ANSWERS)
    client.on(answer, ({ connectionId }) => {
      heardAt = performance.now()
      askedAt.delete(connectionId)
    })
  const revive = async () => {
    reviving = true
    patienceMs = Math.min(2 * patienceMs, LONGEST_UNANSWERED_MS)
    say('the connection to MongoDB has got stuck; connecting anew')
    await client.close(true).catch(() => undefined)
    // A client that could not connect does not look for servers by itself.
    while (!isOver && !(await isConnected())) await sleep(everyMs, undefined, { ref: false })
    heardAt = performance.now()
    askedAt.clear()
    reviving = false
  }
  const isConnected = () =>
    client.connect().then(
      () => true,
      () => false,
    )
  const check = () => {
    const now = performance.now()
    if (!isOut()) {
      heardAt = now
      for (const server of askedAt.keys()) askedAt.set(server, now)
      patienceMs = unansweredMs
    }
    if (!reviving && (now - heardAt > silentMs || now - Math.min(now, ...askedAt.values()) > patienceMs)) void revive()
  }
  const timer = setInterval(check, everyMs).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
