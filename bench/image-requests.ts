import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A workspace and a key of it. */
export interface Workspace {
  readonly id: number
  readonly token: string
}

interface Answer {
  readonly status: number
  readonly body: { readonly id: number; readonly url: string }
}

export type Caller = (method: string, path: string, body?: object) => Promise<Answer>

/** Returns a function that sends requests with the key of a workspace. */
export const callerOf =
  (origin: string, { token }: Workspace): Caller =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${origin}/api/v2${path}`, { method, headers, ...sent })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

/** Adds the image at an address. */
export const addImage = (call: Caller, { id }: Workspace, url: string): Promise<Answer> =>
  call('POST', `/workspaces/${id}/images`, { image: { upload_source_url: url } })

/** Serves images by the number in their path. */
export const serveImages = async (
  images: readonly Buffer[],
): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer(({ url }, response) => response.end(images[Number(url?.slice(1)) % images.length]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
