import { setTimeout as sleep } from 'node:timers/promises'
import type { MongoClient } from 'mongodb'

/** Longer than the driver lets pass between two questions. */
const SILENT_MS = 15_000
/** How long an answer is waited for: at first, and after that did not help. What is stuck when the server returns is so for no longer. */
const UNANSWERED_MS = 500
const LONGEST_UNANSWERED_MS = 5000
const LOOKED_AT_EVERY_MS = 250

const ANSWERS = ['serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const

/** What the driver tells of one look at a server; `awaited` where the two agreed that the answer comes when there is news. */
interface Look {
  readonly connectionId: string
  readonly awaited: boolean
}

type Client = Pick<MongoClient, 'close' | 'connect'> & {
  on(event: 'serverHeartbeatStarted' | (typeof ANSWERS)[number], listener: (look: Look) => void): unknown
}

interface Revival {
  /** Whether no server is known that can be written to. */
  readonly isOut: () => boolean
  readonly say: (message: string) => void
  readonly silentMs?: number
  readonly unansweredMs?: number
}

/**
 * Connects anew with a client that has stopped looking for its servers. The driver (7.8) waits for ever for the answer of a server whose connection
 * was reset at the moment at which it was asked; while it waits it asks no more, and nothing that needs a server is ever done again.
 *
 * @returns what ends it
 */
export const reviveWhenStuck = (
  client: Client,
  { isOut, say, silentMs = SILENT_MS, unansweredMs = UNANSWERED_MS }: Revival,
): (() => void) => {
  let heardAt = performance.now()
  const askedAt = new Map<string, number>()
  let patienceMs = unansweredMs
  let reviving = false
  let isOver = false
  const everyMs = Math.min(LOOKED_AT_EVERY_MS, unansweredMs / 2)
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
    // A client that could not connect looks for nothing any more.
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
  const look = () => {
    const now = performance.now()
    if (!isOut()) {
      heardAt = now
      for (const server of askedAt.keys()) askedAt.set(server, now)
      patienceMs = unansweredMs
    }
    if (!reviving && (now - heardAt > silentMs || now - Math.min(now, ...askedAt.values()) > patienceMs)) void revive()
  }
  const timer = setInterval(look, everyMs).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
