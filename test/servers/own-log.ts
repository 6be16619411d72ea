import { TestServer } from './eventstoredb/server.ts'
import { NODE_COMMAND, startNode, temporaryFolder } from './node.ts'

/** Starts an empty log for a suite: a real EventStoreDB if there is one, and the test server otherwise. @param name of its folder */
export const startOwnLog = async (name: string): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  if (!NODE_COMMAND) return TestServer.start()
  const node = await startNode(temporaryFolder(name))
  return { url: node.url, stop: () => node.end() }
}
