import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { startNode, temporaryFolder } from '../../test/servers/node.ts'
import { contactFields } from '../people.ts'

const MANY = 64

/** Measures appends a second to separate streams, with a number in flight: the limit of EventStoreDB with its own client. */
const rateOf = async (client: EventStoreDBClient, underWay: number, seconds: number): Promise<number> => {
  const begun = performance.now()
  const end = begun + seconds * 1000
  let done = 0
  const appendOn = async (name: string) => {
    for (let n = 0; performance.now() < end; n++) {
      await client.appendToStream(`${name}-${n}`, [jsonEvent({ type: 'Appended', data: contactFields(n) })])
      done++
    }
  }
  await Promise.all(Array.from({ length: underWay }, (_, number) => appendOn(`bench-${underWay}-${number}`)))
  return (done * 1000) / (performance.now() - begun)
}

/** Measures plain appends a second, one at a time and many at once. */
export const appends = async (seconds: number) => {
  const node = await startNode(temporaryFolder('bench-log'))
  const client = EventStoreDBClient.connectionString(node.url)
  try {
    await rateOf(client, MANY, 1)
    return { lone: await rateOf(client, 1, seconds), many: await rateOf(client, MANY, seconds) }
  } finally {
    await client.dispose()
    await node.end()
  }
}
