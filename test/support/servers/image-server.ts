import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** A square of one colour. */
export const square = (side: number): ReturnType<typeof sharp> =>
  sharp({ create: { width: side, height: side, channels: 4, background: { r: 20, g: 120, b: 200, alpha: 1 } } })

let started: Promise<string> | undefined

const start = async (): Promise<string> => {
  const content = await square(8).png().toBuffer()
  const server = createServer((_request, response) => response.setHeader('content-type', 'image/png').end(content))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/square.png`
}

/** URL of a small image on the loopback interface. All services under test may call it. */
export const imageUrl = (): Promise<string> => {
  started ??= start()
  return started
}
