import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server'

/** Questions that clients of earlier protocols are asked. They answer in another request, which only this process can match. */
export interface Questions {
  /**
   * Asks in a session. A session has one question at a time: each server numbers its own, so two could not be told apart.
   *
   * @returns `undefined` when it cannot be asked now
   */
  ask<T>(session: string, server: McpServer, question: () => Promise<T>): Promise<T | undefined>
  /** Hands an answer to the server that waits for it, if one does. */
  answer(session: string, message: JSONRPCMessage): void
}

export const openQuestions = (): Questions => {
  const waiting = new Map<string, McpServer>()
  return {
    async ask(session, server, question) {
      if (waiting.has(session)) return undefined
      waiting.set(session, server)
      try {
        return await question()
      } finally {
        waiting.delete(session)
      }
    },
    answer: (session, message) => waiting.get(session)?.server.transport?.onmessage?.(message),
  }
}
