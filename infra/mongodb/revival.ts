import type { MongoClient } from 'mongodb'

/** Longer than the driver takes to hear from a server, or to learn that it does not. */
const SILENT_MS = 15_000
const LOOKED_AT_EVERY_MS = 1000

const HEARTBEATS = ['serverHeartbeatStarted', 'serverHeartbeatSucceeded', 'serverHeartbeatFailed'] as const

type Client = Pick<MongoClient, 'close' | 'connect'> & {
  on(event: (typeof HEARTBEATS)[number], listener: () => void): unknown
}

interface Revival {
  /** Whether no server is known that can be written to. */
  readonly isOut: () => boolean
  readonly say: (message: string) => void
  readonly silentMs?: number
}

/**
 * Connects anew with a client that has stopped looking for its servers. The driver (7.8) waits for ever for the answer of a server whose connection
 * was reset at the moment at which it was asked; while it waits it asks no more, and nothing that needs a server is ever done again.
 *
 * @returns what ends it
 */
export const reviveWhenStuck = (client: Client, { isOut, say, silentMs = SILENT_MS }: Revival): (() => void) => {
  let heardAt = performance.now()
  let reviving = false
  for (const heartbeat of HEARTBEATS)
    client.on(heartbeat, () => {
      heardAt = performance.now()
    })
  const revive = async () => {
    reviving = true
    say('the connection to MongoDB has got stuck; connecting anew')
    try {
      await client.close(true)
      await client.connect()
    } catch {
      // The driver goes on looking, or this does.
    } finally {
      heardAt = performance.now()
      reviving = false
    }
  }
  const look = () => {
    if (!isOut()) heardAt = performance.now()
    if (!reviving && performance.now() - heardAt > silentMs) void revive()
  }
  const timer = setInterval(look, Math.min(LOOKED_AT_EVERY_MS, silentMs / 4)).unref()
  return () => clearInterval(timer)
}
